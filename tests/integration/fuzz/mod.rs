mod answers;
mod arrivals;
mod cases;
mod jobs;
pub(crate) mod run;
