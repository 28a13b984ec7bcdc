// What a person's fingers do on the page, as touch events of Chromium.
import { settled } from "./gestures.mjs";

/** Fingers on the page: `to(points)` puts them there, moves them or, with fewer points, lifts some. */
export async function fingers(page) {
  const session = await page.context().newCDPSession(page);
  let down = 0;
  return {
    async to(...points) {
      const type = points.length === 0 ? "touchEnd" : points.length > down ? "touchStart" : "touchMove";
      down = points.length;
      const touchPoints = points.map(([x, y], id) => ({ x, y, id }));
      await session.send("Input.dispatchTouchEvent", { type, touchPoints });
    },
    async end() {
      await this.to();
      await settled(page);
      await session.detach();
    },
  };
}

/**
 * A tap at a spot, and the click that it becomes. A busy browser takes its time: keys that are sent before the click go to what had
 * the focus before. Where the page takes the touch for itself there is no click, and the wait ends after 2 s.
 */
export async function tap(page, at) {
  const clicked = await page.evaluateHandle(() => ({ click: new Promise((done) => addEventListener("click", () => done(), { once: true, capture: true })) }));
  await page.touchscreen.tap(...at);
  // The time is taken here: a page may have stopped its own. A page that the tap has closed or replaced was clicked.
  const late = new Promise((done) => setTimeout(done, 2000).unref());
  await Promise.race([clicked.evaluate(({ click }) => click).catch(() => {}), late]);
}

/** Waits as long as a tap at a spot would be the second of a double tap: the last one was `last.at`, and ended at `last.time`. */
export async function waitApart(last, at) {
  const wait = last.time + 400 - performance.now();
  if (wait > 0 && Math.hypot(at[0] - last.at[0], at[1] - last.at[1]) < 50) await new Promise((done) => setTimeout(done, wait));
}

/** One finger from one spot to another, in steps. */
export async function swipe(page, from, to) {
  const finger = await fingers(page);
  await finger.to(from);
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await finger.to([from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part]);
  }
  // At rest when it is lifted: after a flick the browser takes the next tap for its end.
  await page.waitForTimeout(50);
  await finger.to([to[0], to[1] + 1]);
  await page.waitForTimeout(50);
  await finger.to(to);
  await settled(page);
  await finger.end();
}

/** Holds one finger at a spot until the menu opens, and lifts it. */
export async function longPress(page, spot) {
  const finger = await fingers(page);
  await finger.to(spot);
  const menu = page.getByRole("menu");
  await menu.waitFor({ timeout: 3000 });
  await finger.end();
  return menu;
}

/** Where to touch what a locator finds, and if that is impossible as it is: how far to scroll its region, or what lies over it. */
function reach(element) {
  const isRegion = (one) => {
    const { overflowX, overflowY } = getComputedStyle(one);
    const scrolls = (overflow, size, inner) => /auto|scroll/.test(overflow) && inner > size + 1;
    return scrolls(overflowX, one.clientWidth, one.scrollWidth) || scrolls(overflowY, one.clientHeight, one.scrollHeight);
  };
  const box = element.getBoundingClientRect();
  const at = [box.left + box.width / 2, box.top + box.height / 2];
  let seen = [0, 0, innerWidth, innerHeight];
  for (let region = element.parentElement; region; region = region.parentElement) {
    if (!isRegion(region)) continue;
    const { left, top } = region.getBoundingClientRect();
    seen = [Math.max(0, left), Math.max(0, top), Math.min(innerWidth, left + region.clientWidth), Math.min(innerHeight, top + region.clientHeight)];
    break;
  }
  const [left, top, right, bottom] = seen;
  const spot = [(left + right) / 2, (top + bottom) / 2];
  // A little inside the edges, and no more than a finger moves at once.
  const beyond = (at, from, to) => (at < from + 12 ? at - from - 12 : at > to - 12 ? at - to + 12 : 0);
  const by = [beyond(at[0], left, right), beyond(at[1], top, bottom)];
  const most = [(right - left) * 0.4, (bottom - top) * 0.4];
  const scroll = by.map((by, axis) => Math.sign(by) * Math.min(Math.abs(by) + (by && 20), most[axis]));
  const hit = document.elementFromPoint(...at);
  const isHit = hit !== null && (element.contains(hit) || hit.closest("label")?.contains(element));
  // A head that stays while its region scrolls.
  const cover = !isHit && hit?.closest("header, thead, .frozen, .grid-head");
  if (cover && scroll.every((by) => by === 0)) {
    const { top, height } = cover.getBoundingClientRect();
    scroll[1] = top + height / 2 < spot[1] ? -height - 20 : height + 20;
  }
  const over = isHit || hit === null ? null : `${hit.tagName.toLowerCase()}.${hit.className.baseVal ?? hit.className}`;
  return { at, spot, scroll, isHit, over, size: [box.width, box.height] };
}

/** A finger that taps what it has found, as a person does: it scrolls what is out of sight, and waits while something lies over it. */
export class Finger {
  #last = { at: [-100, -100], time: 0 };

  constructor(page) {
    this.page = page;
  }

  /** Scrolls until the middle of what a locator finds can be touched, and says where that is. */
  async reach(locator) {
    let last;
    for (let turn = 0; turn < 40; turn += 1) {
      await locator.waitFor();
      last = await locator.evaluate(reach);
      const { at, spot, scroll, isHit } = last;
      if (isHit) return at;
      if (scroll.some((by) => by !== 0)) await swipe(this.page, spot, [spot[0] - scroll[0], spot[1] - scroll[1]]);
      else await this.page.waitForTimeout(250);
    }
    throw new Error(`${locator} cannot be touched: ${JSON.stringify(last)}`);
  }

  /** A tap, at a spot or on what a locator finds. It is never the second of a double tap. */
  async tap(target) {
    const at = Array.isArray(target) ? target : await this.reach(target);
    await waitApart(this.#last, at);
    await tap(this.page, at);
    this.#last = { at, time: performance.now() };
    await settled(this.page);
  }

  /** Two taps at one place. They do not wait for the page: a browser takes taps for two single ones when too much time is between them. */
  async doubleTap(locator) {
    const at = await this.reach(locator);
    const wait = this.#last.time + 400 - performance.now();
    if (wait > 0) await this.page.waitForTimeout(wait);
    const finger = await fingers(this.page);
    const sent = [];
    for (const points of [[at], [], [at]]) {
      sent.push(finger.to(...points));
      await new Promise((done) => setTimeout(done, 30));
    }
    await Promise.all([...sent, finger.end()]);
    this.#last = { at, time: performance.now() };
  }

  /** Puts a text in place of what a field holds. A person sees the caret before they type. */
  async fill(field, text) {
    await this.tap(field);
    await field.evaluate(async (field) => {
      for (let turn = 0; document.activeElement !== field; turn += 1) {
        if (turn === 100) throw new Error(`a tap does not put the caret into ${field.getAttribute("aria-label") ?? field.id}`);
        await new Promise((done) => setTimeout(done, 100));
      }
    });
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.type(String(text));
  }
}
