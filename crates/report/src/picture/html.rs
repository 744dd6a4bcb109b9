//! One page that holds the drawing, each node's whole state, and the script that shows them. Nothing is loaded from elsewhere.

use serde::Serialize;

use super::Picture;
use super::svg::{LABEL_ABOVE, ROW_GAP, TOP, body, ends, escape};

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");

#[derive(Serialize)]
struct Data<'a> {
    top: f64,
    gap: f64,
    above: f64,
    nodes: Vec<NodeData<'a>>,
    groups: Vec<GroupData>,
    lines: Vec<LineData>,
}

#[derive(Serialize)]
struct NodeData<'a> {
    title: &'a str,
    class: &'a str,
    sections: &'a [(&'static str, Vec<String>)],
}

#[derive(Serialize)]
struct GroupData {
    x: f64,
    row: usize,
    width: f64,
    height: f64,
    /// The height when unfolded.
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<f64>,
    nodes: Vec<usize>,
}

#[derive(Serialize)]
struct LineData {
    upper: usize,
    lower: usize,
    leaves: f64,
    arrives: f64,
    bends: Vec<(f64, usize)>,
}

/// The picture as a page.
pub fn render_html(picture: &Picture) -> String {
    let summary: String = picture.summary.iter().map(|line| format!("<li>{}</li>", escape(line))).collect();
    // A closing tag in the data would end the element.
    let data = serde_json::to_string(&data(picture)).expect("plain data serialises").replace('<', "\\u003c");
    let (width, height) = picture.extent();
    let parts: [(&str, String); 7] = [
        ("{{title}}", escape(&picture.title)),
        ("{{states}}", picture.states().to_string()),
        ("{{summary}}", summary),
        ("{{viewbox}}", format!("0 0 {width:.0} {height:.0}")),
        ("{{drawing}}", body(picture, true)),
        ("{{data}}", data),
        ("{{script}}", SCRIPT.to_owned()),
    ];
    fill(PAGE, &parts)
}

/// The page with its parts filled in, each once, so that no part is looked for in another.
fn fill(page: &str, parts: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = page;
    for (mark, part) in parts {
        let Some((before, after)) = rest.split_once(mark) else { continue };
        text.push_str(before);
        text.push_str(part);
        rest = after;
    }
    text + rest
}

fn data(picture: &Picture) -> Data<'_> {
    let layout = &picture.layout;
    let rounded = |x: f64| (x * 10.0).round() / 10.0;
    let nodes =
        picture.nodes.iter().map(|node| NodeData { title: &node.title, class: node.class, sections: &node.sections });
    let groups = picture.groups.iter().zip(&layout.places).map(|(group, (x, row))| {
        let size = group.size(&picture.nodes);
        let open = group.is_chain().then(|| group.open_size(&picture.nodes).height);
        let (x, width) = (rounded(*x), rounded(size.width));
        GroupData { x, row: *row, width, height: size.height, open, nodes: group.nodes.clone() }
    });
    let lines = picture.lines.iter().enumerate().map(|(at, line)| {
        let (upper, lower) = if layout.upwards[at] { (line.to, line.from) } else { (line.from, line.to) };
        let (leaves, arrives) = ends(picture, at);
        let (leaves, arrives) = (rounded(leaves), rounded(arrives));
        LineData {
            upper,
            lower,
            leaves,
            arrives,
            bends: layout.bends[at].iter().map(|(x, row)| (rounded(*x), *row)).collect(),
        }
    });
    Data {
        top: TOP,
        gap: ROW_GAP,
        above: LABEL_ABOVE,
        nodes: nodes.collect(),
        groups: groups.collect(),
        lines: lines.collect(),
    }
}
