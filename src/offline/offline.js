// Starts the service worker, which keeps the app for visits without a network (service-worker.js). The page loads this once it is
// there (src/platform/offline.rs).

/** Time between two looks for a new version while the page is open, in milliseconds. */
const LOOK = 3_600_000;

/** Calls `offer(use)` when a new version of the app is there; `use()` reloads the page with it. */
export async function keep(offer) {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const registration = await workers.register(new URL("./service-worker.js", import.meta.url), { updateViaCache: "none" });
  const use = () => {
    const waiting = registration.waiting;
    // Another tab may have begun to use it.
    if (!waiting) return location.reload();
    workers.addEventListener("controllerchange", () => location.reload(), { once: true });
    waiting.postMessage("use");
  };
  const tell = () => {
    // Without a controller this is the first visit, and the page is of the version that was just kept.
    if (registration.waiting && workers.controller) offer(use);
  };
  tell();
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker?.addEventListener("statechange", () => {
      if (worker.state === "installed") tell();
    });
  });
  setInterval(() => registration.update().catch(() => {}), LOOK);
}
