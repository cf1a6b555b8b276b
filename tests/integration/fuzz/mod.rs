mod answers;
mod cases;
mod jobs;
mod run;
