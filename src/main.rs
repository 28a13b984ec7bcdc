//! The browser app's entry: everything is in the library.

/// How much memory is asked of the browser at once, in bytes: enough for a large design. Without it the allocator asks
/// for one page of 64 KiB after the other, hundreds of times. What is never written takes no memory of the machine.
const RESERVED: usize = 32 << 20;

fn main() {
    // The allocator keeps what it was given.
    drop(std::hint::black_box(Vec::<u8>::with_capacity(RESERVED)));
    keyfold_web::ui::mount();
}
