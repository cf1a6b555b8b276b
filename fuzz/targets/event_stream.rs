#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcprobe_fuzz::event_stream(data));
