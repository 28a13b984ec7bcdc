// The longest task when a letter is typed into the text of a design with 1000 lines: until it is parsed, lowered and in the inspector.
//
//   node text.mjs DIST [--repeat 21]
import { parseArgs } from "node:util";
import { sleep } from "../canvas/lib.mjs";
import { longestTask } from "./longest.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { repeat: { type: "string", default: "21" } } });
if (positionals.length !== 1) throw new Error("usage: node text.mjs DIST [--repeat 21]");
const entity = (number) => `
entity E${number}
${Array.from({ length: 8 }, (_, at) => `  a${at} string /// What it is.`).join("\n")}
  key E#{a0} / E#{a1}
  | a0 | a1 | a2 |
  | x  | y  | z  |

pattern P${number}
  GetItem E#{a0} / E#{a1}
  returns E${number}
`;
const text = ["design Thousand\n\ntable shop (PK, SK)\n", ...Array.from({ length: 59 }, (_, number) => entity(number))].join("");
// The inspector shows the key of the entity at the cursor.
const key = (page) => page.locator(".inspector .key-block").first().textContent();
await longestTask({
  dist: positionals[0],
  file: { name: "thousand.keyfold", mimeType: "text/plain", buffer: Buffer.from(text) },
  repeat: Number(values.repeat),
  what: `a letter in ${text.split("\n").length - 1} lines`,
  prepare: async (page) => {
    await page.locator(".panel-tabs").getByRole("tab", { name: /^Text/ }).click();
    await page.locator(".text-editor .cm-content").click();
    await sleep(2000);
  },
  edit: async (page) => {
    // Behind the first letter of the key of the first entity.
    await page.locator(".text-editor .cm-content").press("Control+Home");
    while (!(await page.evaluate(() => document.querySelector(".cm-activeLine")?.textContent.startsWith("  key ")))) {
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Home");
    for (let letters = 0; letters < 5; letters++) await page.keyboard.press("ArrowRight");
    await sleep(700);
    const before = await key(page);
    return async () => {
      await page.keyboard.type("x");
      await page.waitForFunction((before) => document.querySelector(".inspector .key-block").textContent !== before, before);
    };
  },
});
