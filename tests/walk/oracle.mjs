// The pure core, asked line by line: `tests/walk/oracle`.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const binary = fileURLToPath(new URL("../../target/walk/walk-oracle", import.meta.url));

/** Starts the oracle: `ask(question)` gives its answer or fails with its error, `close()` ends it. */
export function startOracle() {
  const child = spawn(process.env.WALK_ORACLE ?? binary, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { done, fail } = waiting.shift();
    const answer = JSON.parse(line);
    "error" in answer ? fail(new Error(`oracle: ${answer.error}`)) : done(answer.ok);
  });
  const end = () => waiting.splice(0).forEach(({ fail }) => fail(new Error("the oracle is gone")));
  child.on("exit", end);
  child.on("error", end);
  const ask = (question) =>
    new Promise((done, fail) => {
      waiting.push({ done, fail });
      child.stdin.write(JSON.stringify(question) + "\n");
    });
  return { ask, close: () => child.stdin.end() };
}
