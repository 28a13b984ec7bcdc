// What the main thread of a page does at once: its longest task, in milliseconds of the thread's own processor time. Other processes
// make a task take longer on the clock, but not that.

/** What Chromium calls a task of a thread. */
const TASK = "ThreadControllerImpl::RunTask";

/** Watches a browser: `during(act)` does something and returns the longest tasks of the pages' main threads meanwhile, in order. */
export async function watch(browser) {
  const session = await browser.newBrowserCDPSession();
  const during = async (act) => {
    const events = [];
    const collect = ({ value }) => events.push(...value);
    session.on("Tracing.dataCollected", collect);
    const traceConfig = { includedCategories: ["toplevel"], excludedCategories: ["*"] };
    await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
    let lost;
    try {
      await act();
    } finally {
      const ended = new Promise((done) => session.once("Tracing.tracingComplete", done));
      await session.send("Tracing.end");
      lost = (await ended).dataLossOccurred;
      session.off("Tracing.dataCollected", collect);
    }
    if (lost) throw new Error("the browser lost a part of what it recorded");
    return longest(events);
  };
  return { during, close: () => session.detach() };
}

/** The processor time of the main threads' tasks, the longest first. */
function longest(events) {
  const thread = (event) => `${event.pid} ${event.tid}`;
  const isName = (event) => event.name === "thread_name" && event.args.name === "CrRendererMain";
  const main = new Set(events.filter(isName).map(thread));
  const tasks = events.filter((event) => event.name === TASK && event.ph === "X" && main.has(thread(event)));
  // A thread that has just begun does not know its time for a moment.
  const timed = tasks.filter((event) => event.tdur !== undefined);
  if (timed.length < tasks.length / 2 || timed.length === 0) throw new Error("the browser does not tell the processor time of tasks");
  return timed.map((event) => event.tdur / 1000).sort((a, b) => b - a);
}
