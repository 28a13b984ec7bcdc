// Firefox, driven through geckodriver by W3C WebDriver over HTTP. The client is our own because it needs a dozen commands of a stable
// standard: selenium-webdriver and puppeteer-core need Node.js 22, the tests run on 18.
import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const KEYS = { Enter: "\uE007", Escape: "\uE00C", Tab: "\uE004", End: "\uE010", Home: "\uE011", Control: "\uE009", Shift: "\uE008" };
/** How long [`Firefox.until`] waits, in ms. */
const PATIENCE = 15_000;

/** Where Firefox is: Debian's, or another of the system. */
function firefoxPath() {
  for (const name of [process.env.FIREFOX, "firefox-esr", "firefox"]) {
    const found = name && spawnSync("which", [name], { encoding: "utf8" }).stdout.trim();
    if (found) return found;
  }
  throw new Error("no firefox-esr on PATH: scripts/setup test installs it");
}

/** A program that is not there is reported by its name. */
function run(program, args, options) {
  const child = spawn(program, args, options);
  const failed = new Promise((_, fail) => child.on("error", (error) => fail(new Error(`${program}: ${error.message}`))));
  failed.catch(() => {});
  return { child, failed };
}

/** A Firefox with one window and a profile of its own. */
export class Firefox {
  #base;
  #driver;

  /** Starts geckodriver at a free port, and Firefox with it. */
  static async start({ size: [width, height] = [1440, 900] } = {}) {
    const firefox = new Firefox();
    const { child, failed } = run("geckodriver", ["--port", "0", "--log", "info"], { stdio: ["ignore", "pipe", "inherit"] });
    firefox.#driver = child;
    try {
      const port = await Promise.race([failed, portOf(child)]);
      const args = ["-headless", "-width", String(width), "-height", String(height)];
      const options = { args, binary: firefoxPath() };
      firefox.#base = `http://127.0.0.1:${port}/session`;
      const { sessionId } = await firefox.#send("POST", "", { capabilities: { alwaysMatch: { browserName: "firefox", "moz:firefoxOptions": options } } });
      firefox.#base += `/${sessionId}`;
      await firefox.#send("POST", "/window/rect", { width, height });
      return firefox;
    } catch (error) {
      child.kill();
      throw error;
    }
  }

  async #send(method, path, body) {
    const response = await fetch(this.#base + path, { method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (response.ok) return value;
    throw new Error(`WebDriver ${path}: ${value.error}: ${value.message}`);
  }

  open(url) {
    return this.#send("POST", "/url", { url });
  }

  reload() {
    return this.#send("POST", "/refresh", {});
  }

  /** Runs a function in the page with these arguments. Elements go there and come back. */
  run(act, ...args) {
    return this.#send("POST", "/execute/sync", { script: `return (${act})(...arguments)`, args });
  }

  /** Waits until a function in the page returns something, and returns that. */
  async until(what, act, ...args) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const found = await this.run(act, ...args);
      if (found) return found;
      if (Date.now() > end) throw new Error(`not in the page after ${PATIENCE} ms: ${what}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** Waits for the first visible element of a selector whose text or label is `name`, if there is one. */
  find(selector, name) {
    const first = (selector, name) => {
      const isNamed = (one) => name === undefined || [one.getAttribute("aria-label"), one.textContent.trim()].includes(name);
      return [...document.querySelectorAll(selector)].find((one) => one.getClientRects().length > 0 && isNamed(one));
    };
    return this.until(`${selector} ${name ?? ""}`, first, selector, name);
  }

  /** Clicks what [`find`] finds, once nothing lies over it. */
  async click(selector, name) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const element = await this.find(selector, name);
      try {
        return await this.#send("POST", `/element/${element[ELEMENT]}/click`, {});
      } catch (error) {
        if (!/intercepted|stale/.test(error.message) || Date.now() > end) throw error;
        await new Promise((done) => setTimeout(done, 100));
      }
    }
  }

  /** The middle of an element in the window. */
  middle(element) {
    const middle = (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    return this.run(middle, element);
  }

  /** Presses the pointer at one spot of the window and lets go at another. */
  async drag(from, to) {
    const move = ([x, y], duration = 0) => ({ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration });
    const half = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const actions = [move(from), { type: "pointerDown", button: 0 }, move(half, 100), move(to, 100), { type: "pause", duration: 50 }, { type: "pointerUp", button: 0 }];
    await this.#act({ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions });
  }

  /** Types a text where the focus is. */
  async type(text) {
    await this.#keys([...text].flatMap((value) => [down(value), up(value)]));
  }

  /** Presses a combination such as `Control+z`. */
  async press(combination) {
    const keys = combination.split("+").map((key) => KEYS[key] ?? key);
    await this.#keys([...keys.map(down), ...keys.reverse().map(up)]);
  }

  #keys(actions) {
    return this.#act({ type: "key", id: "keyboard", actions });
  }

  async #act(source) {
    await this.#send("POST", "/actions", { actions: [source] });
    await this.#send("DELETE", "/actions");
  }

  /** Ends Firefox and geckodriver. */
  async close() {
    await this.#send("DELETE", "").catch(() => {});
    this.#driver.kill();
  }
}

const down = (value) => ({ type: "keyDown", value });
const up = (value) => ({ type: "keyUp", value });

/** Waits for the line in which geckodriver reports its port. The lines after it are read and dropped, so that it can write them. */
function portOf(driver) {
  return new Promise((done, fail) => {
    createInterface({ input: driver.stdout })
      .on("line", (line) => {
        const port = /Listening on [^:]*:(\d+)/.exec(line)?.[1];
        if (port) done(port);
      })
      .on("close", () => fail(new Error("geckodriver ended before it listened")));
  });
}
