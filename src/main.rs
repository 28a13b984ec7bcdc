//! The browser app: Trunk builds this binary to WebAssembly.

fn main() {
    console_error_panic_hook::set_once();
    keyfold::ui::mount();
}
