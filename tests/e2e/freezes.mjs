// What the main thread of a page does at once: its longest task, in milliseconds of the thread's own processor time. Other processes
// make a task take longer on the clock, but hardly that. A slower processor, and one whose memory others use too, takes longer: a
// known piece of work is done in the page before and after, and what is measured is told as if that had taken its usual time.

/** What Chromium calls a task of a thread. */
const TASK = "ThreadControllerImpl::RunTask";
/** The mark at the end of the known piece of work. */
const MARK = "known work";
/** Processor time of the known piece of work on an ordinary machine, in milliseconds. */
const USUAL = 12;

/**
 * Watches a page: `during(act)` does something and returns the longest tasks of the browser's main threads meanwhile, in order.
 * `rate` is how many times slower the browser was told to make the page.
 */
export async function watch(page, rate = 1) {
  const session = await page.context().browser().newBrowserCDPSession();
  const during = async (act) => {
    const events = [];
    const collect = ({ value }) => events.push(...value);
    session.on("Tracing.dataCollected", collect);
    const traceConfig = { includedCategories: ["toplevel", "blink.user_timing"], excludedCategories: ["*"] };
    await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
    let lost;
    try {
      await page.evaluate(knownWork, MARK);
      await act();
      await page.evaluate(knownWork, MARK);
    } finally {
      const ended = new Promise((done) => session.once("Tracing.tracingComplete", done));
      await session.send("Tracing.end");
      lost = (await ended).dataLossOccurred;
      session.off("Tracing.dataCollected", collect);
    }
    if (lost) throw new Error("the browser lost a part of what it recorded");
    return longest(events, USUAL * rate);
  };
  return { during, close: () => session.detach() };
}

/** A piece of work that is always the same, most of it in the browser's compiled code: the engine's own state hardly counts. */
function knownWork(name) {
  const rows = Array.from({ length: 4000 }, (_, at) => ({ key: `USER#${at}`, name: `name ${at}`, values: [at, at / 3, String(at * 7)] }));
  let text = JSON.stringify(rows);
  for (let turn = 0; turn < 4; turn += 1) text = JSON.stringify(JSON.parse(text));
  performance.mark(name);
}

/** The processor time of the main threads' tasks, the longest first; `usual` is the usual time of the known piece of work. */
function longest(events, usual) {
  const thread = (event) => `${event.pid} ${event.tid}`;
  const isName = (event) => event.name === "thread_name" && event.args.name === "CrRendererMain";
  const main = new Set(events.filter(isName).map(thread));
  const tasks = events.filter((event) => event.name === TASK && event.ph === "X" && main.has(thread(event)));
  // A thread that has just begun does not know its time for a moment.
  const timed = tasks.filter((event) => event.tdur !== undefined);
  if (timed.length < tasks.length / 2 || timed.length === 0) throw new Error("the browser does not tell the processor time of tasks");
  const marks = events.filter((event) => event.name === MARK);
  const isIn = (mark, task) => thread(mark) === thread(task) && mark.ts >= task.ts && mark.ts <= task.ts + task.dur;
  const isKnown = (task) => marks.some((mark) => isIn(mark, task));
  const time = (task) => task.tdur / 1000;
  const known = timed.filter(isKnown).map(time);
  if (known.length === 0) throw new Error("the browser does not tell the time of the known work");
  const pace = Math.max(1, Math.max(...known) / usual);
  if (process.env.REPORT === "1") console.log(`known work ${known.map((it) => it.toFixed(1)).join("  ")} ms`);
  const others = timed.filter((task) => !isKnown(task)).map((task) => time(task) / pace);
  return others.length === 0 ? [0] : others.sort((a, b) => b - a);
}
