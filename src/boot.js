// Starts the app. A file and not Trunk's inline script, because the page's Content-Security-Policy
// forbids inline scripts. Trunk writes the two names into the <meta> (pattern_script in Trunk.toml).
const { js, wasm } = document.querySelector('meta[name="keyfold-app"]').dataset;
const url = (path) => new URL(path, document.baseURI).href;

try {
  // The one is compiled while the other is loaded. Where that cannot be, the script does it its own way.
  const compiled = WebAssembly.compileStreaming(fetch(url(wasm))).catch(() => url(wasm));
  const app = await import(url(js));
  await app.default({ module_or_path: await compiled });
} catch (error) {
  const status = document.getElementById("boot-status");
  if (status) {
    status.textContent =
      "Keyfold could not start. It needs a current browser with WebAssembly; reloading the page may help.";
  }
  throw error;
}
