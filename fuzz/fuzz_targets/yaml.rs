#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    keyfold_fuzz::yaml(data);
});
