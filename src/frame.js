// Applies the remembered theme and sizes to the frame of the page before its first paint, as `ui/state/page_state.rs` does when
// the app is there. A classic script in the head: the browser runs it before it reads the frame.
(() => {
  let last = {};
  try {
    last = JSON.parse(localStorage.getItem("keyfold:desk")) ?? {};
  } catch {
    // Storage may be blocked or hold something else: the defaults are in the style sheet.
  }
  if (["light", "dark"].includes(last.theme)) document.documentElement.dataset.theme = last.theme;
  // Called before the browser paints what it has read.
  const observer = new MutationObserver(() => {
    const frame = document.getElementById("frame");
    if (!frame) return;
    observer.disconnect();
    frame.classList.toggle("no-rail", last.rail === false);
    frame.classList.toggle("no-panel", last.panel === false);
    for (const [name, size] of [
      ["--rail-width", last.railWidth],
      ["--inspector-width", last.inspectorWidth],
      ["--panel-height", last.panelHeight],
    ]) {
      if (Number.isFinite(size)) frame.style.setProperty(name, `${size}px`);
    }
  });
  observer.observe(document, { childList: true, subtree: true });
})();
