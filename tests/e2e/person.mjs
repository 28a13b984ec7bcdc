// A person who works with mouse and keyboard, and counts what the hands do: a click (also a double or triple one), a drag, a key
// chord, a typed text and a pasted text are one action each.
import assert from "node:assert/strict";
import { drag, settled } from "./gestures.mjs";

export class Person {
  constructor(page) {
    this.page = page;
    this.actions = 0;
  }

  /** How many actions something takes. */
  async count(work) {
    const before = this.actions;
    await work();
    return this.actions - before;
  }

  async click(locator, options) {
    this.actions += 1;
    await locator.click(options);
    await settled(this.page);
  }

  async drag(from, to) {
    this.actions += 1;
    await drag(this.page, from, to);
  }

  async press(chord) {
    this.actions += 1;
    await this.page.keyboard.press(chord);
    await settled(this.page);
  }

  /** Types into what has the focus, which is a field. */
  async type(text) {
    this.actions += 1;
    const isField = await this.page.evaluate(() => document.activeElement.matches("input, textarea"));
    assert.ok(isField, `nothing takes what is typed: ${text}`);
    await this.page.keyboard.type(text);
    await settled(this.page);
  }

  /** Pastes a text that was copied somewhere else. */
  async paste(text) {
    this.actions += 1;
    await this.page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await this.page.keyboard.press("Control+v");
    await settled(this.page);
  }

  /** Replaces the text of a field. */
  async replace(field, text) {
    await this.click(field, { clickCount: 3 });
    await this.type(text);
    assert.equal(await field.inputValue(), text);
  }
}
