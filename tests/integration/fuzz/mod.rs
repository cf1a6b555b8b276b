mod cases;
mod run;
