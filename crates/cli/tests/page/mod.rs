//! The page of a run in a real browser: a script clicks on every verdict, file, check, cut point and step, and reports what it saw, errors in the console among it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{Scratch, belay, shown, text};

/// Put before the page's own script: what goes wrong is noted.
const WATCH: &str = "<script>window.faults = [];
window.onerror = (message, _, line) => { window.faults.push(message + ' at ' + line); };
console.error = (...what) => window.faults.push(what.join(' '));</script>";

/// Put after it: clicks through everything.
const CLICK: &str = r#"<script>
const seen = { graphs: 0, drawn: 0, verdicts: 0, files: 0, checks: 0, cuts: 0, steps: 0, titles: 0, loops: 0, blocks: 0, freed: 0, variables: 0, colours: new Set() };
for (const button of document.querySelectorAll('#verdicts button')) {
  button.click(); seen.verdicts++;
  if (!document.getElementById('verdict').textContent) faults.push('no text for ' + button.textContent);
  if (!document.getElementById('run').hidden) {
    for (const row of document.querySelectorAll('#steps div')) {
      row.click(); seen.steps++;
      seen.variables = Math.max(seen.variables, document.querySelectorAll('#variables td').length);
      seen.blocks = Math.max(seen.blocks, document.querySelectorAll('#heap rect').length);
      seen.freed = Math.max(seen.freed, document.querySelectorAll('#heap .freed').length);
    }
    for (const id of ['first', 'next', 'back', 'last']) document.getElementById(id).click();
  }
}
for (const link of document.querySelectorAll('#files a')) {
  link.click(); seen.files++;
  for (const row of document.querySelectorAll('#source .line')) {
    for (const colour of ['proved', 'violated', 'unknown', 'unreached']) if (row.classList.contains(colour)) seen.colours.add(colour);
    if (row.title) seen.titles++;
  }
  seen.loops += document.querySelectorAll('#source .loop').length;
  for (const link of document.querySelectorAll('#source .loop a')) link.click();
}
const filter = document.getElementById('filter');
const names = data.checks.map(check => check.name);
for (const name of names.slice(0, 300)) {
  filter.value = name; filter.oninput();
  const link = document.querySelector('#checks a');
  if (!link) { faults.push('no check ' + name); continue; }
  link.click(); seen.checks++;
}
const drawing = () => document.getElementById('drawing').shadowRoot;
for (const link of document.querySelectorAll('#cuts a')) {
  link.click(); seen.cuts++;
  if (drawing()) seen.drawn += drawing().querySelectorAll('.selected').length ? 1 : 0;
}
seen.graphs = data.graphs.length;
seen.colours = [...seen.colours].sort().join(' ');
const said = document.createElement('pre'); said.id = 'said';
said.textContent = 'SEEN ' + JSON.stringify({ seen, faults, all: data.checks.length });
document.body.append(said);
</script>"#;

/// A violation with a freed block, a proof with an invariant, code that nothing calls, a closing tag in a string.
const PROGRAM: &str = "#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };
int never(int x) { return x + 1; }
static int sum(int n) {
  int total = 0;
  for (int i = 0; i < n && i < 1000; i++)
    total += 2;
  return total;
}
int main(void) {
  const char *text = \"</script>\";
  struct node *list = malloc(sizeof *list);
  list->next = malloc(sizeof *list);
  list->next->value = sum(__VERIFIER_nondet_int()) + text[0];
  struct node *last = list->next;
  free(last);
  free(list);
  return last->value;
}
";

/// What the browser makes of a page.
fn open(scratch: &Scratch, page: &Path) -> serde_json::Value {
    let html = std::fs::read_to_string(page).unwrap();
    let html = html.replacen("<script id=\"data\"", &format!("{WATCH}<script id=\"data\""), 1);
    let clicking = scratch.file("clicking.html", html.replacen("</body>", &format!("{CLICK}</body>"), 1));
    let profile = format!("--user-data-dir={}", scratch.path().join("profile").display());
    let flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"];
    let quiet = ["--disable-background-networking", "--disable-component-update", "--virtual-time-budget=20000"];
    let mut command = Command::new("chromium");
    command.args(flags).args(quiet).arg(profile).arg("--dump-dom").arg(format!("file://{}", clicking.display()));
    let output = command.output().unwrap();
    let dom = text(&output.stdout);
    let said = dom.split("SEEN ").last().and_then(|rest| rest.split("</pre>").next()).unwrap_or_default();
    let said = said.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}\n{}", shown(&output)))
}

fn has_browser() -> bool {
    Command::new("chromium").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The page of the program.
fn make_page(scratch: &Scratch) -> PathBuf {
    let program = scratch.file("program.c", PROGRAM);
    let page = scratch.path().join("page.html");
    let output = belay()
        .args(["check", "--engines", "run,structural,tester", "--html"])
        .arg(&page)
        .arg(&program)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(10), "{}", shown(&output));
    page
}

#[test]
fn a_page_loads_nothing() {
    let scratch = Scratch::new("page");
    let html = std::fs::read_to_string(make_page(&scratch)).unwrap();
    assert!(!html.contains("src=") && !html.contains("@import") && !html.contains("<link"), "something is loaded");
    assert_eq!(html.matches("</script>").count(), 2, "a closing tag in the data");
}

/// Everything on the page can be reached by clicking, and nothing is written to the console.
#[test]
#[ignore = "needs `chromium`: part of `make soak`"]
fn a_page_can_be_clicked_through() {
    let scratch = Scratch::new("clicked-page");
    let page = make_page(&scratch);
    assert!(has_browser(), "there is no `chromium`");
    let said = open(&scratch, &page);
    assert_eq!(said["faults"], serde_json::json!([]), "{said}");
    let seen = &said["seen"];
    assert_eq!(seen["verdicts"], 6, "{said}");
    assert_eq!(seen["colours"], "proved unknown unreached violated", "{said}");
    assert!(seen["checks"] == said["all"] && seen["files"] == 1, "{said}");
    for (what, least) in [("steps", 8), ("variables", 4), ("blocks", 2), ("freed", 2), ("titles", 6), ("loops", 1)] {
        assert!(seen[what].as_u64() >= Some(least), "{what}: {said}");
    }
}

const WALK: &str = "#include <stdlib.h>
int main(int argc, char **argv) {
  char *text = malloc(argc + 1UL);
  text[argc] = 0;
  char *end = text;
  while (*end) end++;
  free(text);
  return argv == 0;
}
";

/// The page of a proof by a graph.
fn make_graph_page(scratch: &Scratch) -> PathBuf {
    let program = scratch.file("walk.c", WALK);
    let page = scratch.path().join("walk.html");
    let words = ["check", "--engines", "graph", "--property", "memsafety", "--threads", "1", "--html"];
    let output = belay().args(words).arg(&page).arg(&program).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    page
}

/// The graph of a proof is drawn, and each cut point names its boxes in the drawing.
#[test]
fn the_graph_of_a_proof_is_drawn() {
    let scratch = Scratch::new("graph-page");
    let html = std::fs::read_to_string(make_graph_page(&scratch)).unwrap();
    let data = html.split("type=\"application/json\">").nth(1).and_then(|rest| rest.split("</script>").next()).unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let (graphs, cuts) = (data["graphs"].as_array().unwrap(), data["cuts"].as_array().unwrap());
    assert!(graphs.len() == 1 && !cuts.is_empty(), "{data}");
    for cut in cuts {
        let drawing = graphs[cut["graph"].as_u64().unwrap() as usize].as_str().unwrap();
        let boxes = cut["boxes"].as_array().unwrap();
        assert!(!boxes.is_empty() && boxes.iter().all(|at| drawing.contains(&format!("data-node=\"{at}\""))), "{cut}");
    }
    let linked = data["loops"].as_array().unwrap().iter().filter(|known| known["cut"].is_u64()).count();
    assert!(linked >= 1, "no invariant leads to the graph: {data}");
}

#[test]
#[ignore = "needs `chromium`: part of `make soak`"]
fn a_drawn_graph_can_be_reached_by_clicking() {
    let scratch = Scratch::new("clicked-graph");
    let page = make_graph_page(&scratch);
    assert!(has_browser(), "there is no `chromium`");
    let said = open(&scratch, &page);
    assert_eq!(said["faults"], serde_json::json!([]), "{said}");
    assert!(said["seen"]["graphs"] == 1 && said["seen"]["drawn"].as_u64() >= Some(1), "{said}");
}

/// A hundred files and ten thousand checks.
#[test]
#[ignore = "takes a minute: part of `make soak`"]
fn a_large_page_is_usable() {
    let scratch = Scratch::new("large-page");
    let files: Vec<_> = (0..100)
        .map(|file| {
            let function = |at: u32| {
                format!(
                    "int f{file}_{at}(int *p, int x) {{\n  p[0] = x + 1;\n  p[1] = x * 3;\n  return p[0] - p[1];\n}}\n"
                )
            };
            let calls: String = (0..20).map(|at| format!("  sum += f{file}_{at}(p, x);\n")).collect();
            let rest = format!("unsigned all{file}(int *p, int x) {{\n  unsigned sum = 0;\n{calls}  return sum;\n}}\n");
            scratch.file(&format!("f{file}.c"), (0..20).map(function).collect::<String>() + &rest)
        })
        .collect();
    let calls: String = (0..100).map(|file| format!("  sum += all{file}(p, 3);\n")).collect();
    let declared: String = (0..100).map(|file| format!("unsigned all{file}(int *, int);\n")).collect();
    let body = format!("{declared}int main(void) {{\n  int p[2];\n  unsigned sum = 0;\n{calls}  return sum & 1;\n}}\n");
    let main = scratch.file("main.c", body);
    let page = scratch.path().join("page.html");
    let output = belay().arg("check").arg("--html").arg(&page).arg(&main).args(&files).output().unwrap();
    assert!(page.exists(), "{}", shown(&output));
    assert!(has_browser(), "there is no `chromium`");
    let said = open(&scratch, &page);
    assert_eq!(said["faults"], serde_json::json!([]), "{said}");
    assert!(said["all"].as_u64() >= Some(10_000) && said["seen"]["files"] == 101, "{said}");
}
