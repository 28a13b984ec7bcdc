// The styles of CodeMirror without a <style> element, which the page's Content-Security-Policy forbids: a sheet that the
// document adopts. `style-mod` itself does that in shadow roots only.
import { StyleModule as Base } from "./node_modules/style-mod/src/style-mod.js";

const sheets = new Map();

export class StyleModule extends Base {
  static mount(root, modules) {
    const wanted = [modules].flat().map((module) => {
      if (!sheets.has(module)) {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(module.getRules());
        sheets.set(module, sheet);
      }
      return sheets.get(module);
    });
    const others = root.adoptedStyleSheets.filter((sheet) => !wanted.includes(sheet));
    root.adoptedStyleSheets = [...others, ...wanted];
  }
}
