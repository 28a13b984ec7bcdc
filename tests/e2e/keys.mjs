// A person who has a keyboard only: presses keys, and looks each time where the focus is.
import assert from "node:assert/strict";

/** What has the focus: its name, whether it can be seen, and whether one sees that it has the focus. */
function look() {
  const element = document.activeElement;
  if (!element || element === document.body) return { name: "", lost: true };
  const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? element.innerText ?? "";
  const box = element.getBoundingClientRect();
  const shows = (element) => {
    const style = getComputedStyle(element);
    const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
    return outlined || style.boxShadow.includes("inset");
  };
  // The line of a menu has another ground, and the only field of a dialog the caret.
  const alone = element.matches("dialog[open] input");
  const ground = element.role === "menuitem" && getComputedStyle(element).backgroundColor !== "rgba(0, 0, 0, 0)";
  return {
    name: label.trim().split("\n")[0],
    tag: element.tagName,
    lost: false,
    visible: box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true }),
    inSight: box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
    // Some fields are drawn by the box around them.
    outlined: shows(element) || shows(element.parentElement) || alone || ground,
  };
}

export class Keys {
  constructor(page) {
    this.page = page;
    this.presses = 0;
  }

  /** Where the focus is: on something that one sees, at the latest when what was just added above it has its place. */
  async seen() {
    let focus = await this.page.evaluate(look);
    for (let left = 20; left > 0 && (focus.lost || !focus.visible || !focus.inSight); left -= 1) {
      await this.page.waitForTimeout(50);
      focus = await this.page.evaluate(look);
    }
    assert.ok(!focus.lost, "the focus is lost");
    assert.ok(focus.visible && focus.inSight, `the focus is on ${focus.name}, which is not to be seen`);
    return focus;
  }

  /** Where the focus is: on something that also shows that it has it. */
  async shown() {
    const focus = await this.seen();
    assert.ok(focus.outlined, `nothing shows that ${focus.name} has the focus`);
    return focus;
  }

  /** Presses a key, and waits until what it has begun is drawn. Only as the page begins the focus is nowhere yet. */
  async press(key) {
    if (this.presses > 0) await this.seen();
    this.presses += 1;
    await this.page.keyboard.press(key);
    await this.drawn();
  }

  /** Waits until a frame is drawn. */
  async drawn() {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  }

  async type(text) {
    await this.seen();
    this.presses += String(text).length;
    await this.page.keyboard.type(String(text));
  }

  /** Presses Tab until the focus is on what has this name, no more than `most` times. */
  async tabTo(name, most, key = "Tab") {
    const passed = [];
    for (let presses = 0; presses < most; presses += 1) {
      await this.press(key);
      const focus = await this.shown();
      if (focus.name === name) return;
      passed.push(focus.name);
    }
    assert.fail(`${most} times ${key} do not lead to ${name}, but to ${passed.join(", ")}`);
  }

  /** Waits until the focus is on what has this name. */
  async on(name) {
    const has = (name) => {
      const element = document.activeElement;
      const label = element?.getAttribute("aria-label") ?? element?.labels?.[0]?.innerText ?? element?.innerText ?? "";
      return label.trim().startsWith(name);
    };
    await this.page.waitForFunction(has, name, { timeout: 3000 }).catch(() => {});
    const focus = await this.shown();
    assert.ok(focus.name.startsWith(name), `the focus is on ${focus.name} and not on ${name}`);
  }

  /** Chooses something of the command palette by a part of its name. */
  async command(text) {
    await this.press("Control+k");
    await this.on("Command palette");
    // The dialog has that name, too; its field comes with the code of the palette.
    await this.page.waitForFunction(() => document.activeElement.role === "combobox");
    await this.type(text);
    await this.press("Enter");
    await this.page.waitForFunction(() => !document.querySelector("dialog[open]"));
    // What was chosen begins a frame after the focus is back where it was, and gives it to another a frame later.
    for (let frames = 0; frames < 3; frames += 1) await this.drawn();
  }
}
