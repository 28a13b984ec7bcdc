// What people do on the page. Each gesture has a `weight`, `choose(walk, random)`, which answers the gesture as data (by ids and
// names, never by places) or `null` where it is not possible now, and `run(walk, data)`, which does it and says in `walk.does`
// what it does to the design:
//
// - `null`: nothing, one only looks;
// - a list: these commands, as the oracle reads them (`tests/walk/oracle/change.rs`);
// - `"any"`: something that is not foretold;
// - `"undo"`, `"redo"`; `{ opens: text }`: another design, `{ opens: null }`: one that is not foretold.
import { canvas } from "./gestures/canvas.mjs";
import { someControls } from "./gestures/controls.mjs";
import { designs } from "./gestures/designs.mjs";
import { inspector } from "./gestures/inspector.mjs";
import { panel } from "./gestures/panel.mjs";
import { table } from "./gestures/table.mjs";

export const gestures = { ...designs, ...canvas, ...inspector, ...table, ...panel, ...someControls };
