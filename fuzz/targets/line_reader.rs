#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcprobe_fuzz::line_reader(data));
