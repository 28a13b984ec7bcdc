// Starts the app. A file and not Trunk's inline script, because the page's Content-Security-Policy
// forbids inline scripts. Trunk writes the two names into the <meta> (pattern_script in Trunk.toml).
const { js, wasm } = document.querySelector('meta[name="keyfold-app"]').dataset;
const url = (path) => new URL(path, document.baseURI).href;

try {
  // The one is compiled while the other is loaded. Where that cannot be, the script does it its own way.
  const compiled = WebAssembly.compileStreaming(fetch(url(wasm))).catch(() => url(wasm));
  const app = import(url(js));
  // Meanwhile the browser reads the stored designs: who asks first waits for it.
  try {
    localStorage.length;
  } catch {
    // It may be forbidden; the app says so.
  }
  await (await app).default({ module_or_path: await compiled });
} catch (error) {
  const status = document.getElementById("boot-status");
  if (status) {
    status.textContent =
      "Keyfold could not start. It needs a current browser with WebAssembly; reloading the page may help.";
  }
  throw error;
}
