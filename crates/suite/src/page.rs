//! A comparison as a page: counts, what changed, a scatter plot for each pair and a cactus plot for all. Self-contained, no scripts.

use std::fmt::Write;

use crate::compare::Comparison;
use crate::score::{judge, table};

const COLOURS: [&str; 6] = ["#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#57606a"];

/// The page.
pub fn render_page(comparison: &Comparison) -> String {
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Results side by side</title><style>body{font:15px/1.5 sans-serif;margin:2em auto;max-width:70em;padding:0 1em}\
         table{border-collapse:collapse}td,th{padding:.2em .7em;border-bottom:1px solid #ddd;text-align:left}pre{background:#f6f8fa;padding:1em;overflow:auto}\
         svg{border:1px solid #ddd;margin:0 1em 1em 0}.wrong{background:#ffebe9}</style><h1>Results side by side</h1>",
    );
    for (index, name) in comparison.names.iter().enumerate() {
        let results: Vec<_> = comparison.rows.values().filter_map(|row| row[index].clone()).collect();
        let _ = write!(page, "<h2>{}</h2><pre>{}</pre>", escape(name), escape(&table(&results).render()));
    }
    page.push_str("<h2>Time</h2>");
    for second in 1..comparison.names.len() {
        page.push_str(&scatter(comparison, 0, second));
    }
    page.push_str(&cactus(comparison));
    page.push_str("<h2>What differs</h2><table><tr><th>task</th><th>property</th>");
    for name in &comparison.names {
        let _ = write!(page, "<th>{}</th>", escape(name));
    }
    page.push_str("</tr>");
    let differing = comparison.rows.iter().enumerate().filter(|(_, (_, row))| Comparison::differs(row));
    for (number, ((task, property), row)) in differing {
        let wrong = row.iter().flatten().any(|one| judge(one).is_wrong());
        let class = if wrong { " class=\"wrong\"" } else { "" };
        let _ = write!(page, "<tr id=\"d{number}\"{class}><td>{}</td><td>{}</td>", escape(task), escape(property));
        for one in row.iter().flatten() {
            let _ = write!(page, "<td>{} <small>{:.2} s</small></td>", escape(&one.verdict), one.cpu);
        }
        page.push_str("</tr>");
    }
    page.push_str("</table></html>\n");
    page
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Where a time lies on a logarithmic axis from a hundredth of a second to a thousand seconds, in pixels of 300.
fn place(seconds: f64) -> f64 {
    (seconds.clamp(0.01, 1000.0).log10() + 2.0) / 5.0 * 300.0
}

fn scatter(comparison: &Comparison, first: usize, second: usize) -> String {
    let mut picture =
        frame(&format!("CPU seconds: {} (across), {} (up)", comparison.names[first], comparison.names[second]));
    picture.push_str("<line x1=\"30\" y1=\"330\" x2=\"330\" y2=\"30\" stroke=\"#bbb\"/>");
    for (number, ((task, property), row)) in comparison.rows.iter().enumerate() {
        let (Some(a), Some(b)) = (&row[first], &row[second]) else { continue };
        let colour = if judge(a) == judge(b) { COLOURS[0] } else { COLOURS[1] };
        // What differs leads to its row in the table below.
        let (open, close) = match Comparison::differs(row) {
            true => (format!("<a href=\"#d{number}\">"), "</a>"),
            false => (String::new(), ""),
        };
        let _ = write!(
            picture,
            "{open}<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\" fill-opacity=\".6\"><title>{} {}</title></circle>{close}",
            30.0 + place(a.cpu),
            330.0 - place(b.cpu),
            escape(task),
            escape(property)
        );
    }
    picture + "</svg>"
}

/// How many tasks are solved within a time each.
fn cactus(comparison: &Comparison) -> String {
    let mut picture = frame("Solved tasks (across) within CPU seconds each (up)");
    let most = comparison.rows.len().max(1) as f64;
    for (index, name) in comparison.names.iter().enumerate() {
        let solved = comparison.rows.values().filter_map(|row| row[index].as_ref());
        let mut times: Vec<f64> = solved.filter(|one| judge(one).is_solved()).map(|one| one.cpu).collect();
        times.sort_by(f64::total_cmp);
        let points = times.iter().enumerate().map(|(count, time)| {
            format!("{:.1},{:.1}", 30.0 + (count + 1) as f64 / most * 300.0, 330.0 - place(*time))
        });
        let colour = COLOURS[index % COLOURS.len()];
        let points: Vec<String> = points.collect();
        let _ = write!(picture, "<polyline fill=\"none\" stroke=\"{colour}\" points=\"{}\"/>", points.join(" "));
        let y = 45 + 16 * index;
        let _ = write!(picture, "<text x=\"40\" y=\"{y}\" font-size=\"12\" fill=\"{colour}\">{}</text>", escape(name));
    }
    picture + "</svg>"
}

fn frame(title: &str) -> String {
    format!(
        "<svg width=\"360\" height=\"360\" role=\"img\"><title>{0}</title><text x=\"30\" y=\"20\" font-size=\"11\">{0}</text>\
         <path d=\"M30 30V330H330\" fill=\"none\" stroke=\"#555\"/>",
        escape(title)
    )
}

#[cfg(test)]
mod tests {
    use super::render_page;
    use crate::compare::compare;
    use crate::results::Result;
    use crate::task::Expected;

    fn result(task: &str, verdict: &str) -> Result {
        Result {
            task: task.to_owned(),
            suite: "s".to_owned(),
            property: "memsafety".to_owned(),
            expected: Expected::True,
            kind: None,
            verdict: verdict.to_owned(),
            cpu: 0.5,
            wall: 0.5,
            mib: 10,
        }
    }

    /// What differs has a row that its point leads to; what does not has neither.
    #[test]
    fn points_lead_to_what_differs() {
        let before = vec![result("a", "true"), result("b", "true"), result("c", "unknown")];
        let after = vec![result("a", "true"), result("b", "unknown"), result("c", "true")];
        let page = render_page(&compare(vec![("before".to_owned(), before), ("after".to_owned(), after)]));
        for number in [1, 2] {
            assert!(page.contains(&format!("<a href=\"#d{number}\"><circle")), "{page}");
            assert!(page.contains(&format!("<tr id=\"d{number}\"")), "{page}");
        }
        assert!(!page.contains("#d0\"") && page.contains("<polyline"), "{page}");
    }
}
