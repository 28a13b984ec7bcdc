// What a person's hand does on the page: real pointer, touch and key events, at places that are found by what stands there.
import { tap, waitApart } from "../e2e/fingers.mjs";

/** What was to be touched is not there, or something lies over it. */
export class Unreachable extends Error {}

export class Hand {
  constructor(page, touch) {
    this.page = page;
    this.touch = touch;
    this.session = null;
  }

  async #send(type, points) {
    this.session ??= await this.page.context().newCDPSession(this.page);
    const touchPoints = points.map(([x, y]) => ({ x, y }));
    // The time at which the hand moved. A busy browser takes several moves at once: it would see a fling, and the next tap
    // would only stop that.
    await this.session.send("Input.dispatchTouchEvent", { type, touchPoints, timestamp: Date.now() / 1000 });
  }

  /** Where an element is to be touched. */
  async at(selector, options = {}) {
    const at = await this.page.evaluate(([selector, options]) => window.__walk.point(selector, options), [selector, options]);
    if (!at) throw new Unreachable(`${selector} ${options.text ?? ""}`);
    return at;
  }

  /** Whether there is such an element in sight. */
  async sees(selector, options = {}) {
    return (await this.page.evaluate(([selector, options]) => window.__walk.point(selector, options), [selector, options])) !== null;
  }

  /** A spot of the empty canvas, not beside the one before: two taps there would be a double tap. */
  async emptySpot([x, y]) {
    const at = await this.page.evaluate(([x, y, last]) => window.__walk.emptySpot(x, y, last), [x, y, this.spot ?? null]);
    if (!at) throw new Unreachable("the empty canvas");
    this.spot = at;
    return at;
  }

  async pressAt([x, y], again = false) {
    if (!this.touch) return this.page.mouse.click(x, y);
    if (!again && this.tap) await waitApart(this.tap, [x, y]);
    await tap(this.page, [x, y]);
    this.tap = { at: [x, y], time: performance.now() };
  }

  /** A click or a tap. */
  async press(selector, options) {
    await this.pressAt(await this.at(selector, options));
  }

  /** A double click or a double tap. */
  async twiceAt([x, y]) {
    if (!this.touch) return this.page.mouse.dblclick(x, y);
    await this.pressAt([x, y]);
    await this.pressAt([x, y], true);
  }

  /** What opens a menu: a right click or a long press. */
  async menuAt([x, y]) {
    if (!this.touch) return this.page.mouse.click(x, y, { button: "right" });
    await this.#send("touchStart", [[x, y]]);
    await this.advance(600);
    await this.#send("touchEnd", []);
  }

  /** Presses at one place and lets go at another. */
  async drag(from, to, { steps = 3, keep = false } = {}) {
    const between = (part) => from.map((start, at) => start + (to[at] - start) * part);
    const parts = Array.from({ length: steps }, (_, at) => (at + 1) / steps);
    if (this.touch) {
      await this.#send("touchStart", [from]);
      for (const part of parts) await this.#send("touchMove", [between(part)]);
      // A finger that is lifted while it moves flings, and Chromium takes the next tap, on any page, only as the end of that.
      await new Promise((done) => setTimeout(done, 150));
      await this.#send("touchMove", [to]);
      await this.frame();
      if (!keep) await this.#send("touchEnd", []);
      return;
    }
    await this.page.mouse.move(...from);
    await this.page.mouse.down();
    for (const part of parts) await this.page.mouse.move(...between(part));
    await this.frame();
    if (!keep) await this.page.mouse.up();
  }

  /** Lets go of what [`drag`] has kept. */
  async letGo() {
    await (this.touch ? this.#send("touchEnd", []) : this.page.mouse.up());
  }

  async wheel([x, y], dx, dy) {
    await this.page.mouse.move(x, y);
    await this.page.mouse.wheel(dx, dy);
    await this.frame();
  }

  async keys(...combinations) {
    for (const keys of combinations) await this.page.keyboard.press(keys);
  }

  /** Letter by letter; what is long comes at once, as from an input method. */
  async type(text) {
    await this.#typing(() => this.#write(text));
  }

  /** Types a text in place of what stands in the field with the focus. */
  async replace(text) {
    if (!(await this.page.evaluate(() => window.__walk.inField()))) throw new Unreachable("no field has the focus");
    await this.#typing(async () => {
      await this.keys("Control+a", "Delete");
      await this.#write(text);
    });
  }

  async #write(text) {
    await (text.length > 20 ? this.page.keyboard.insertText(text) : this.page.keyboard.type(text));
  }

  /** Within one undo step of the page. */
  async #typing(write) {
    const say = (on) => this.page.evaluate((on) => window.__walk.typing(on), on);
    await say(true);
    try {
      await write();
    } finally {
      await say(false);
    }
  }

  async advance(ms) {
    await this.page.evaluate((ms) => window.__walk.advance(ms), ms);
  }

  async frame() {
    await this.page.evaluate(() => window.__walk.frame());
  }
}
