mod answers;
mod arrivals;
mod cases;
mod crowd;
mod jobs;
pub(crate) mod run;
