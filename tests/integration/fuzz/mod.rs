mod answers;
mod cases;
mod jobs;
pub(crate) mod run;
