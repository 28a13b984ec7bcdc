//! The browser app's entry: everything is in the library.

fn main() {
    keyfold::ui::mount();
}
