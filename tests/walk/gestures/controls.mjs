// Whatever field, choice, switch or button there is in a region of the page, by its name. What it does is not foretold; that the page
// then shows the stored design is judged all the same.

import { leave } from "./inspector.mjs";

const REGIONS = [".inspector", ".pattern-editor", ".pattern-proof", ".problem-detail", ".patterns-bar", ".patterns-first", ".code-head"];
const texts = ["x", "", "7", "PK", "{id}", "status = :status", "size > :least", "TENANT#", "a b", "-1", "ünï", "email", "#", "100000"];

/** The controls of a region that match, by their names. */
const controls = (walk, region, kind) =>
  walk.page.evaluate(([region, kind]) => window.__walk.controls(region, kind).map((one) => one.name), [region, kind]);

function gesture(kind, weight, choose, act) {
  return {
    weight,
    choose: (walk, random) => {
      const inSight = REGIONS.filter((region) => walk.look.controls[region]?.[kind]?.length);
      const region = random.pick(inSight);
      return region ? { region, name: random.pick(walk.look.controls[region][kind]), ...choose(random) } : null;
    },
    async run(walk, { region, name, ...data }) {
      const nth = (await controls(walk, region, kind)).indexOf(name);
      if (nth < 0) return;
      const at = await walk.page.evaluate(([region, kind, nth]) => window.__walk.controlAt(region, kind, nth), [region, kind, nth]);
      if (!at) return;
      walk.does = "any";
      await act(walk, at, data, [region, kind, nth]);
    },
  };
}

export const someControls = {
  someField: gesture(
    "field",
    3,
    (random) => ({ text: random.pick(texts), end: random.pick(["Tab", "Escape", "Enter"]) }),
    async (walk, at, { text, end }) => {
      await walk.hand.pressAt(at);
      await walk.hand.replace(text);
      await walk.hand.keys(end);
      // An attribute that Enter began has the focus a frame later, and goes when its row is left.
      await walk.hand.frame();
      if (end === "Enter" && (await walk.page.evaluate(() => !!document.activeElement?.matches(".attribute-row input")))) await leave(walk, "press");
      // A text that is refused stays in the field until that is left.
      if (await walk.page.evaluate(() => document.activeElement?.getAttribute("aria-invalid") === "true")) await walk.hand.keys("Tab");
    },
  ),
  someChoice: gesture(
    "choice",
    1.5,
    (random) => ({ option: random.int(0, 9) }),
    async (walk, _, { option }, control) => {
      await walk.page.evaluate(
        ([region, kind, nth, option]) => {
          const select = window.__walk.controls(region, kind)[nth].element;
          select.focus();
          select.selectedIndex = option % select.options.length;
          select.dispatchEvent(new Event("input", { bubbles: true }));
          select.dispatchEvent(new Event("change", { bubbles: true }));
        },
        [...control, option],
      );
    },
  ),
  someSwitch: gesture("check", 1, () => ({}), (walk, at) => walk.hand.pressAt(at)),
  someButton: gesture("button", 2, () => ({}), async (walk, at) => {
    await walk.hand.pressAt(at);
    // What a chip has put into a template is in the design, whatever it says, once the field is left.
    await walk.hand.frame();
    if (await walk.page.evaluate(() => !!document.activeElement?.matches(".template-input"))) await leave(walk, "press");
  }),
};
