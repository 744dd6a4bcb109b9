//! The drawing itself.

use belay_symbolic::EdgeKind;

use super::fold::{GAP, Group, LINE, MARGIN, node_size};
use super::layout::Size;
use super::told::Told;
use super::{Line, Picture};

/// The gap between rows.
pub const ROW_GAP: f64 = 44.0;
/// The distance of a label from the box below it.
pub const LABEL_ABOVE: f64 = 9.0;
/// The room above the first row.
pub const TOP: f64 = 24.0;

/// How the drawing looks.
pub const STYLE: &str = "\
text{font:11px ui-monospace,Menlo,Consolas,monospace;fill:#1d2733}\
.title{font-weight:bold}\
.box rect{fill:#fff;stroke:#8794a3;rx:4px}\
.box.start rect{fill:#e7f0ff;stroke:#2f6fd0}\
.box.loop rect{fill:#fff6dd;stroke:#c98a00;stroke-width:2px}\
.box.join rect{fill:#f4f1fb;stroke:#8a6fc0}\
.box.over rect{fill:#eef7ee;stroke:#4b9b5a}\
.box.doubt rect{fill:#fdeaea;stroke:#c8372d;stroke-width:2px}\
.box.stopped rect{fill:#fdf0e3;stroke:#c8372d;stroke-dasharray:5 3}\
.box.chain rect{fill:#f2f4f7;stroke:#8794a3;stroke-dasharray:2 2}\
.box.selected rect{stroke:#111;stroke-width:3px}\
path{fill:none;stroke:#5b6b7c;stroke-width:1.3px}\
path.refinement{stroke:#2f6fd0}\
path.call,path.return{stroke:#2c8a4b}\
path.return{stroke-dasharray:7 3}\
path.generalisation{stroke:#c98a00;stroke-dasharray:4 3}\
path.open{stroke:#c8372d;stroke-dasharray:2 4}\
.label{font-size:10px;fill:#2f6fd0;paint-order:stroke;stroke:#fafbfc;stroke-width:4px}\
#arrow path{fill:#5b6b7c;stroke:none}";

/// Text as XML holds it. What XML has no place for is left out.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' => safe.push(' '),
            c if c.is_control() => {}
            c => safe.push(c),
        }
    }
    safe
}

/// The picture as SVG.
pub fn render_svg(picture: &Picture) -> String {
    let (width, height) = picture.extent();
    let legend: Vec<String> = picture.summary.iter().map(|line| escape(line)).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\">\n<title>{}</title>\n<desc>{}</desc>\n{}</svg>\n",
        escape(&picture.title),
        legend.join("\n"),
        body(picture, false)
    )
}

/// All that is inside the SVG element; `unfolds`: with what the script of the page needs to unfold chains.
pub fn body(picture: &Picture, unfolds: bool) -> String {
    let mut text = format!(
        "<style>{STYLE}</style>\n<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n<g id=\"scene\">\n"
    );
    for (at, line) in picture.lines.iter().enumerate() {
        text.push_str(&line_element(picture, at, line));
    }
    for (at, group) in picture.groups.iter().enumerate() {
        text.push_str(&group_element(picture, at, group, unfolds));
    }
    text + "</g>\n"
}

impl Picture {
    /// Where the rows start.
    pub fn row_tops(&self) -> Vec<f64> {
        let mut top = TOP;
        let mut tops = Vec::with_capacity(self.layout.rows.len());
        for height in &self.layout.rows {
            tops.push(top);
            top += height + ROW_GAP;
        }
        tops
    }

    /// Width and height.
    pub fn extent(&self) -> (f64, f64) {
        let height: f64 = self.layout.rows.iter().map(|height| height + ROW_GAP).sum();
        (self.layout.width.max(200.0), TOP + height.max(60.0))
    }
}

/// The word for a kind of step, which is also its class.
pub fn kind_name(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Evaluation => "evaluation",
        EdgeKind::Refinement => "refinement",
        EdgeKind::Call => "call",
        EdgeKind::Return => "return",
        EdgeKind::Generalisation => "generalisation",
        EdgeKind::Open => "open",
    }
}

fn line_element(picture: &Picture, at: usize, line: &Line) -> String {
    let upwards = picture.layout.upwards[at];
    let (path, middle) = path(picture, at, line);
    let marker = if upwards { "marker-start" } else { "marker-end" };
    let mut text =
        format!("<path id=\"e{at}\" class=\"{}\" {marker}=\"url(#arrow)\" d=\"{path}\"/>\n", kind_name(line.kind));
    if !line.label.is_empty() {
        text.push_str(&format!(
            "<text id=\"l{at}\" class=\"label\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
            middle.0,
            middle.1,
            escape(&line.label)
        ));
    }
    text
}

/// From the bottom of the upper box through the bends to the top of the lower one, and where a label goes.
fn path(picture: &Picture, at: usize, line: &Line) -> (String, (f64, f64)) {
    let (layout, tops) = (&picture.layout, picture.row_tops());
    let (upper, lower) = if layout.upwards[at] { (line.to, line.from) } else { (line.from, line.to) };
    let ((x, row), (end, end_row)) = (layout.places[upper], layout.places[lower]);
    let size = picture.groups[upper].size(&picture.nodes);
    if upper == lower {
        let (right, middle) = (x + size.width / 2.0, tops[row] + size.height / 2.0);
        let path = format!(
            "M{right:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {right:.1} {:.1}",
            middle - 8.0,
            right + 30.0,
            middle - 8.0,
            right + 30.0,
            middle + 8.0,
            middle + 8.0
        );
        return (path, (right + 34.0, middle));
    }
    let bottom = |row: usize| tops[row] + layout.rows[row];
    let bends = &layout.bends[at];
    let first = bends.first().copied().unwrap_or((end, end_row));
    let (leaves, arrives) = ends(picture, at);
    let start = tops[row] + size.height;
    let mut text = format!("M{leaves:.1} {start:.1}");
    // A line without length would leave the arrow without a direction.
    if start < bottom(row) {
        text.push_str(&format!("L{leaves:.1} {:.1}", bottom(row)));
    }
    let (mut x, mut from) = (leaves, bottom(row));
    for (place, (bend, row)) in bends.iter().copied().chain([(arrives, end_row)]).enumerate() {
        let to = tops[row];
        let half = (from + to) / 2.0;
        text.push_str(&format!("C{x:.1} {half:.1} {bend:.1} {half:.1} {bend:.1} {to:.1}"));
        if place < bends.len() {
            text.push_str(&format!("L{bend:.1} {:.1}", bottom(row)));
        }
        (x, from) = (bend, bottom(row));
    }
    (text, (first.0, tops[first.1] - LABEL_ABOVE))
}

/// Where a line leaves the upper box and arrives at the lower one.
pub fn ends(picture: &Picture, at: usize) -> (f64, f64) {
    let (layout, line) = (&picture.layout, &picture.lines[at]);
    let (upper, lower) = if layout.upwards[at] { (line.to, line.from) } else { (line.from, line.to) };
    let ((x, _), (end, _)) = (layout.places[upper], layout.places[lower]);
    let width = |group: usize| picture.groups[group].size(&picture.nodes).width;
    let first = layout.bends[at].first().map_or(end, |bend| bend.0);
    let last = layout.bends[at].last().map_or(x, |bend| bend.0);
    (x + port(first - x, width(upper), layout.upwards[at]), end + port(last - end, width(lower), false))
}

/// How far from a box's middle a line leaves it that goes on so far to the side; lines that come back keep to the side.
fn port(distance: f64, width: f64, comes_back: bool) -> f64 {
    let (share, most) = if comes_back { (1.0, 0.42) } else { (0.2, 0.3) };
    (distance * share).clamp(-width * most, width * most)
}

fn group_element(picture: &Picture, at: usize, group: &Group, unfolds: bool) -> String {
    let (x, row) = picture.layout.places[at];
    let y = picture.row_tops()[row];
    let inner = match group.nodes.as_slice() {
        [node] => node_element(&picture.nodes[*node], *node, (0.0, 0.0)),
        _ => chain_element(picture, group, unfolds),
    };
    format!("<g id=\"g{at}\" transform=\"translate({x:.1} {y:.1})\">{inner}</g>\n")
}

/// A box with its middle at the top of `corner`.
fn node_element(node: &Told, number: usize, (x, y): (f64, f64)) -> String {
    let Size { width, height } = node_size(node);
    let left = x - width / 2.0;
    let mut text = format!(
        "<g class=\"box {}\" data-node=\"{number}\"><rect x=\"{left:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
         height=\"{height:.1}\"/>",
        node.class
    );
    let lines = std::iter::once((&node.title, "title")).chain(node.lines.iter().map(|line| (line, "")));
    for (number, (line, class)) in lines.enumerate() {
        let baseline = y + MARGIN + LINE * (number as f64 + 0.75);
        let start = left + MARGIN;
        text.push_str(&format!(
            "<text class=\"{class}\" x=\"{start:.1}\" y=\"{baseline:.1}\" xml:space=\"preserve\">{}</text>",
            escape(line)
        ));
    }
    text + "</g>"
}

fn chain_element(picture: &Picture, group: &Group, unfolds: bool) -> String {
    let (title, Size { width, height }) = (group.title(&picture.nodes), group.size(&picture.nodes));
    let start = MARGIN - width / 2.0;
    let closed = format!(
        "<g class=\"box chain closed\"><rect x=\"{:.1}\" y=\"0\" width=\"{width:.1}\" height=\"{height:.1}\"/>\
         <text x=\"{start:.1}\" y=\"{:.1}\">{}</text></g>",
        -width / 2.0,
        MARGIN + LINE * 0.75,
        escape(&title)
    );
    if !unfolds {
        return closed;
    }
    let open = group.open_size(&picture.nodes);
    let mut inner = format!(
        "<g class=\"box chain fold\"><rect x=\"{:.1}\" y=\"0\" width=\"{:.1}\" height=\"{:.1}\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\">▾ fold</text></g>",
        -open.width / 2.0,
        open.width,
        open.height,
        MARGIN - open.width / 2.0,
        MARGIN / 2.0 + LINE * 0.75
    );
    let mut y = LINE + MARGIN;
    for (place, node) in group.nodes.iter().enumerate() {
        let told = &picture.nodes[*node];
        inner.push_str(&node_element(told, *node, (0.0, y)));
        y += node_size(told).height;
        if place + 1 < group.nodes.len() {
            inner.push_str(&format!("<path class=\"evaluation\" d=\"M0 {y:.1}L0 {:.1}\"/>", y + GAP));
        }
        y += GAP;
    }
    format!("{closed}<g class=\"unfolded\" style=\"display:none\">{inner}</g>")
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn text_is_safe_in_xml() {
        assert_eq!(escape("a < b && \"c\"\u{1}\t>"), "a &lt; b &amp;&amp; &quot;c&quot; &gt;");
    }
}
