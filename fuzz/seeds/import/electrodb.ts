import { Entity, type Schema } from 'electrodb';
import { client } from "./client";

/* The service's table. */
const table = process.env.TABLE ?? "tasks"; // a computed name
const TASKS = 'tasks' as const;
const common = { team: { type: "string", required: true } };

export const Task = new Entity<Schema<string, string, string>>(
  {
    model: { entity: `Task`, version: "1", service: "TaskApp" },
    attributes: {
      ...common,
      task: { type: "string", default: () => makeId({ a: 1, b: [2, 3] }), validate: /^[^#,}]*$/ },
      project: { type: "string", label: "prj" },
      points: { type: "number", },
      AccountID: { type: "string" },
      n: { type: "number", padding: { length: 5, char: "0" } },
      status: { type: ["open", "closed"] as const },
      secret: { type: "string", set: (value) => crypt(value) },
    },
    indexes: {
      primary: { pk: { field: "pk", composite: ["task"] }, sk: { field: "sk", composite: ["project", "points"] } },
      a: { index: "gsi1", collection: "assignments", pk: { field: "gsi1pk", composite: ["team"] }, sk: { field: "gsi1sk", composite: ["project"] } },
      b: { index: "gsi2", collection: "overview", type: "clustered", pk: { field: "gsi2pk", composite: ["team"], casing: "upper" }, sk: { field: "gsi2sk", composite: ["project"], casing: "none" } },
      c: { index: "gsi3", pk: { field: "AccountID", composite: ["AccountID"] }, sk: { field: "gsi3sk", composite: [] } },
      d: { index: "gsi4", collection: ["one", "two"], type: "clustered", pk: { field: "gsi4pk", composite: ["n"] }, sk: { field: "gsi4sk", composite: ["task"] } },
    },
  },
  { client, table: TASKS },
);
