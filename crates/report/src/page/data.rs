//! What the page shows, as data.

use std::collections::{BTreeMap, BTreeSet};

use belay_base::{FileId, Span};
use belay_evidence::{Answer, Counterexample, GraphCertificate, Proof, Task, Verdict, checks};
use belay_ir::{CallGraph, Cfg, ObligationId, Program, Property};
use serde::Serialize;

use crate::expressions::{sentence, write_all};
use crate::findings::{Combined, Findings, Word, explain};
use crate::headline::headline;
use crate::invariants::{invariants, whereabouts};
use crate::page::graph::Drawing;
use crate::page::run::{RunData, record};
use crate::text::{Style, describe_proof, paragraph, ranks};
use crate::words::place;

#[derive(Serialize)]
pub struct Page {
    verdicts: Vec<VerdictData>,
    files: Vec<FileData>,
    checks: Vec<CheckData>,
    loops: Vec<LoopData>,
    cuts: Vec<CutData>,
    /// Drawings of graphs.
    graphs: Vec<String>,
    runs: Vec<RunData>,
}

#[derive(Serialize)]
struct VerdictData {
    name: &'static str,
    word: &'static str,
    verdict: String,
    text: String,
    run: Option<usize>,
}

#[derive(Serialize)]
struct FileData {
    path: String,
    lines: Vec<String>,
    /// Lines whose code no run reaches.
    unreached: Vec<u32>,
}

#[derive(Serialize)]
struct CheckData {
    name: String,
    property: &'static str,
    status: &'static str,
    why: String,
    file: Option<usize>,
    line: u32,
    run: Option<usize>,
}

/// What is known of a loop.
#[derive(Serialize)]
struct LoopData {
    file: Option<usize>,
    line: u32,
    property: &'static str,
    text: String,
    cut: Option<usize>,
}

/// A cut point of a graph.
#[derive(Serialize)]
struct CutData {
    title: String,
    /// What each of its states says.
    states: Vec<Vec<String>>,
    /// The drawing that it is in, and its boxes there.
    graph: Option<usize>,
    boxes: Vec<usize>,
}

/// What is known of loops, and the graphs that it comes from.
#[derive(Default)]
struct Loops {
    loops: Vec<LoopData>,
    cuts: Vec<CutData>,
    graphs: Vec<String>,
}

/// Everything that the page shows.
pub fn collect(findings: &Findings<'_>) -> Page {
    let (task, program) = (findings.task, findings.task.program);
    let mut collector = Collector { task, files: own_files(program), runs: Vec::new(), ran: Vec::new() };
    let verdicts = findings.questions.iter().map(|asked| {
        let answer = findings.answer(asked);
        let run = match &answer {
            Combined::False(verdict, counterexample) => Some(collector.run(verdict, counterexample)),
            Combined::True(_) | Combined::Unknown(..) => None,
        };
        VerdictData {
            name: asked.name,
            word: word(answer.word()),
            verdict: answer.verdict(),
            text: paragraph(findings, asked, Style::default()),
            run,
        }
    });
    let verdicts = verdicts.collect();
    let checks = collector.checks(findings);
    let Loops { loops, cuts, graphs } = collector.loops(findings);
    let files = collector.files.iter().map(|file| file_data(task, *file)).collect();
    Page { verdicts, files, checks, loops, cuts, graphs, runs: collector.runs }
}

fn word(word: Word) -> &'static str {
    match word {
        Word::True => "proved",
        Word::Unknown => "unknown",
        Word::False => "violated",
    }
}

/// The files that the user's own functions stand in.
fn own_files(program: &Program) -> Vec<FileId> {
    let own = program.functions.iter().filter(|function| function.is_defined() && !function.is_model);
    let files: BTreeSet<FileId> = own.filter(|it| it.span.is_known()).map(|it| it.span.file).collect();
    files.into_iter().collect()
}

fn file_data(task: &Task<'_>, file: FileId) -> FileData {
    let path = task.program.files.path(file).unwrap_or("?").to_owned();
    let bytes = std::fs::read(&path).unwrap_or_default();
    let lines = String::from_utf8_lossy(&bytes).lines().map(|line| line.chars().take(400).collect()).collect();
    FileData { path, lines, unreached: unreached(task, file) }
}

/// The lines all of whose code is in functions that nothing calls or in blocks that nothing leads to.
fn unreached(task: &Task<'_>, file: FileId) -> Vec<u32> {
    let program = task.program;
    let called: BTreeSet<_> =
        CallGraph::new(program).reachable_in_run(program, task.config.entry).into_iter().collect();
    let mut lines: BTreeMap<u32, bool> = BTreeMap::new();
    for (id, function) in program.functions.iter_enumerated().filter(|(_, it)| it.is_defined()) {
        let cfg = Cfg::new(function);
        for (block, body) in function.blocks.iter_enumerated() {
            let reached = called.contains(&id) && cfg.is_reachable(block);
            let spans = body.insts.iter().map(|inst| function.insts[*inst].span).chain([body.term_span]);
            for span in spans.filter(|span| span.is_known() && span.file == file) {
                *lines.entry(span.line).or_default() |= reached;
            }
        }
    }
    lines.into_iter().filter(|(_, reached)| !reached).map(|(line, _)| line).collect()
}

struct Collector<'t> {
    task: &'t Task<'t>,
    files: Vec<FileId>,
    runs: Vec<RunData>,
    /// What each run violates, and by which choices.
    ran: Vec<(Property, Option<ObligationId>)>,
}

impl Collector<'_> {
    fn file(&self, span: Span) -> Option<usize> {
        self.files.iter().position(|file| span.is_known() && *file == span.file)
    }

    /// The number of a violation's run; each is told once.
    fn run(&mut self, verdict: &Verdict, counterexample: &Counterexample) -> usize {
        let obligation = counterexample.violation.as_ref().and_then(|violation| violation.obligation);
        let key = (verdict.property(), obligation);
        if let Some(at) = self.ran.iter().position(|known| *known == key) {
            return at;
        }
        let what = headline(self.task, counterexample).what;
        let title = format!("{}: {what}", verdict.property());
        let files = self.files.clone();
        let file = move |span: Span| files.iter().position(|file| span.is_known() && *file == span.file);
        self.runs.push(record(self.task, counterexample, title, file));
        self.ran.push(key);
        self.runs.len() - 1
    }

    /// Every obligation that runs may come to: single answers where they were asked for, else what the verdict of the property says of it.
    fn checks(&mut self, findings: &Findings<'_>) -> Vec<CheckData> {
        let (task, program) = (self.task, self.task.program);
        let properties: Vec<Property> = findings.verdicts.iter().map(Verdict::property).collect();
        let open: BTreeSet<ObligationId> = checks(task, &properties).into_iter().collect();
        let plain = Task { program, simplified: program, config: task.config.clone() };
        let mut all: BTreeSet<ObligationId> = checks(&plain, &properties).into_iter().collect();
        all.extend(&open);
        let single: BTreeMap<ObligationId, &Verdict> =
            findings.checks.unwrap_or_default().iter().map(|check| (check.obligation(), check.verdict())).collect();
        let mut found = Vec::new();
        for id in all {
            let obligation = &program.obligations[id];
            let of_property = || findings.verdicts.iter().find(|verdict| verdict.property() == obligation.property);
            let verdict = single.get(&id).copied().or_else(of_property);
            let (status, why, run) = match verdict.filter(|_| open.contains(&id)) {
                None => ("proved", "needs no proof".to_owned(), None),
                Some(verdict) => self.judge(id, verdict),
            };
            found.push(CheckData {
                name: program.obligation_name(id),
                property: obligation.property.name(),
                status,
                why,
                file: self.file(obligation.span),
                line: obligation.span.line,
                run,
            });
        }
        found
    }

    fn judge(&mut self, id: ObligationId, verdict: &Verdict) -> (&'static str, String, Option<usize>) {
        match verdict.answer() {
            Answer::True(proof) => ("proved", describe_proof(verdict.property(), proof), None),
            Answer::Unknown(unknown) => ("unknown", explain(unknown), None),
            Answer::False(counterexample) => {
                let violated = counterexample.violation.as_ref().and_then(|violation| violation.obligation);
                if violated == Some(id) {
                    let run = self.run(verdict, counterexample);
                    return ("violated", headline(self.task, counterexample).what, Some(run));
                }
                ("unknown", format!("another check of {} is violated; see --each-check", verdict.property()), None)
            }
        }
    }

    /// What is known of loops, and the cut points of the graphs that it comes from.
    fn loops(&self, findings: &Findings<'_>) -> Loops {
        let program = self.task.simplified;
        let mut found = Loops::default();
        let mut drawn: Vec<&GraphCertificate> = Vec::new();
        for verdict in findings.verdicts {
            let property = verdict.property().name();
            if let Answer::True(Proof::Graph(certificate)) = verdict.answer() {
                if drawn.iter().all(|known| known.states != certificate.states) {
                    drawn.push(certificate);
                    self.draw(certificate, verdict, &mut found);
                }
            } else {
                for known in invariants(self.task, verdict) {
                    let text = known.sentence(program).unwrap_or_default();
                    found.loops.push(LoopData {
                        file: self.file(known.span),
                        line: known.span.line,
                        property,
                        text,
                        cut: None,
                    });
                }
            }
            for (ranked, text) in verdict.ranks().iter().zip(ranks(findings, verdict)) {
                let (file, line) = (self.file(ranked.span), ranked.span.line);
                found.loops.push(LoopData { file, line, property, text, cut: None });
            }
        }
        found
    }

    fn draw(&self, certificate: &GraphCertificate, verdict: &Verdict, found: &mut Loops) {
        let (program, property) = (self.task.simplified, verdict.property().name());
        let drawing = Drawing::new(self.task, certificate, verdict);
        let graph = drawing.as_ref().map(|_| found.graphs.len());
        for (key, cases) in &certificate.states {
            let (span, within, _) = whereabouts(program, key);
            let facts: Vec<_> = cases.iter().map(|state| state.facts(program, self.task.integers())).collect();
            let at = place(program, span).unwrap_or_else(|| "the program".to_owned());
            let within = within.map(|id| format!(" in {}", program.functions[id].name)).unwrap_or_default();
            let cut = found.cuts.len();
            for known in &facts {
                let Some(text) = sentence(known, usize::MAX) else { continue };
                let (file, line) = (self.file(span), span.line);
                found.loops.push(LoopData { file, line, property, text, cut: Some(cut) });
            }
            let states = facts.iter().map(|facts| write_all(&facts.conditions)).collect();
            let boxes = drawing.as_ref().map(|drawing| drawing.boxes(key)).unwrap_or_default();
            found.cuts.push(CutData { title: format!("{at}{within}"), states, graph, boxes });
        }
        found.graphs.extend(drawing.map(|drawing| drawing.svg));
    }
}
