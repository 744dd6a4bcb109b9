//! What `belay suite` is told.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Clone, Debug)]
pub struct SuiteOptions {
    /// The tasks: an index (.jsonl), a task definition (.yml) or set (.set) of BenchExec's, or a folder of programs with `//~` expectations
    #[arg(value_name = "INDEX", required_unless_present = "compare")]
    pub index: Option<PathBuf>,
    /// Where results are appended to; tasks that have one there are not run again
    #[arg(long, value_name = "FILE", default_value = "results.jsonl")]
    pub out: PathBuf,
    /// Tasks at a time
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    /// Seconds for each task
    #[arg(long, short = 't', value_name = "S", default_value_t = 20)]
    pub time_limit: u64,
    /// MiB for each task
    #[arg(long, value_name = "MB", default_value_t = 4000)]
    pub memory_limit: u64,
    /// One task in N, always the same ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub sample: u64,
    /// Only tasks whose name contains this
    #[arg(long = "match", value_name = "TEXT")]
    pub matching: Option<String>,
    /// Only tasks of this property
    #[arg(long = "property", value_name = "P")]
    pub properties: Vec<String>,
    /// Further flags for each `belay check`; words are split
    #[arg(long, value_name = "FLAGS", default_value = "", allow_hyphen_values = true)]
    pub flags: String,
    /// Another verifier than this Belay: a file that says how it is called and what it prints
    #[arg(long, value_name = "FILE.json")]
    pub tool: Option<PathBuf>,
    /// Compare files of results instead of running tasks; with an index: what was run with these
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub compare: Vec<PathBuf>,
    /// Write the comparison as a page
    #[arg(long, value_name = "FILE.html", requires = "compare")]
    pub html: Option<PathBuf>,
    /// Run as a job array of N parts on a Slurm cluster
    #[arg(long, value_name = "N", conflicts_with = "part")]
    pub slurm: Option<usize>,
    /// With --slurm: a folder that all nodes see
    #[arg(long, value_name = "DIR", default_value = "belay-suite")]
    pub folder: PathBuf,
    /// One part of a job array (used by --slurm)
    #[arg(long, value_name = "N", hide = true)]
    pub part: Option<usize>,
}
