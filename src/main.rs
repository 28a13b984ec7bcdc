//! The entry point of the browser app; the code is in the library.

/// Memory requested from the browser at the start, in bytes: enough for a large design. Otherwise the allocator
/// requests single pages of 64 KiB, hundreds of times. Memory that is never written uses no physical memory.
const RESERVED: usize = 32 << 20;

fn main() {
    // The allocator keeps the freed memory.
    drop(std::hint::black_box(Vec::<u8>::with_capacity(RESERVED)));
    keyfold_web::ui::mount();
}
