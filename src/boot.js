// Starts the app. This is a file instead of Trunk's inline script because the page's Content-Security-Policy
// forbids inline scripts. Trunk writes the two file names into the <meta> (pattern_script in Trunk.toml).
const { js, wasm, scripts } = document.querySelector('meta[name="keyfold-app"]').dataset;
const url = (path) => new URL(path, document.baseURI).href;

// The app cannot import a script by itself. In a release build the names have a hash (scripts/assemble.mjs).
const names = JSON.parse(scripts ?? "{}");
// A browser may remember that an address failed: after a failure, the next try has another one.
const failed = {};
globalThis.keyfoldImport = (name) =>
  import(url(names[name] ?? name) + (failed[name] ? `?${failed[name]}` : "")).catch((error) => {
    failed[name] = (failed[name] ?? 0) + 1;
    throw error;
  });

try {
  // Compile the module while the script loads. If that fails, the script loads the module itself.
  const compiled = WebAssembly.compileStreaming(fetch(url(wasm))).catch(() => url(wasm));
  const app = import(url(js));
  // The first access to local storage waits until the browser has read it from disk. Do that now, in parallel.
  try {
    localStorage.length;
  } catch {
    // Storage may be blocked; the app reports that.
  }
  await (await app).default({ module_or_path: await compiled });
} catch (error) {
  document.getElementById("frame")?.removeAttribute("aria-busy");
  const status = document.getElementById("boot-status");
  if (status) {
    status.textContent =
      "Keyfold could not start. Use a current browser with WebAssembly, or reload the page to try again.";
  }
  throw error;
}
