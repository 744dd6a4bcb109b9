//! Layered layout (Sugiyama, Tagawa, Toda 1981): boxes in rows so that lines go down, few of them cross, and they are short.
//!
//! Lines that close a cycle are turned round first. The row of a box is the length of the longest path to it. A line across several rows gets
//! a bend in each. The order in the rows comes from sweeps that put each box at the mean of its neighbours; the order with the
//! fewest crossings stays. Then boxes move towards their neighbours as far as the order allows: least squares, solved exactly by pooling
//! boxes that would overlap. Everything is done in a fixed order, so that the same graph gives the same picture.

/// The size of a box.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Size {
    pub width: f64,
    pub height: f64,
}

/// Where everything is.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The middle and the row of each box.
    pub places: Vec<(f64, usize)>,
    /// The height of each row.
    pub rows: Vec<f64>,
    /// The bends of each line, from top to bottom: the middle and the row.
    pub bends: Vec<Vec<(f64, usize)>>,
    /// Lines that go up.
    pub upwards: Vec<bool>,
    /// The width of the picture.
    pub width: f64,
}

/// The gap between boxes of a row, and between lines.
const SPACE: f64 = 28.0;
const LINE_SPACE: f64 = 14.0;
/// Sweeps for the order, and for the places.
const ORDER_SWEEPS: usize = 12;
const PLACE_SWEEPS: usize = 16;
/// Bends beyond which a long line is drawn without them.
const MAX_BENDS: usize = 40_000;

/// Lays boxes out; `lines` are from and to.
pub fn layout(sizes: &[Size], lines: &[(usize, usize)]) -> Layout {
    let upwards = find_reversed(sizes.len(), lines);
    let downs: Vec<(usize, usize)> =
        lines.iter().zip(&upwards).map(|((from, to), up)| if *up { (*to, *from) } else { (*from, *to) }).collect();
    let rows = row_of(sizes.len(), &downs);
    let mut net = Net::new(sizes, &rows, &downs);
    net.order();
    net.place();
    let heights = net.layers.iter().map(|layer| {
        let heights = layer.iter().filter(|at| **at < sizes.len()).map(|at| sizes[*at].height);
        heights.fold(0.0, f64::max)
    });
    let left = net.cells.iter().map(|cell| cell.x - cell.width / 2.0).fold(f64::INFINITY, f64::min);
    let shift = if left.is_finite() { SPACE - left } else { 0.0 };
    let right = net.cells.iter().map(|cell| cell.x + cell.width / 2.0).fold(0.0, f64::max);
    Layout {
        places: (0..sizes.len()).map(|at| (net.cells[at].x + shift, rows[at])).collect(),
        rows: heights.collect(),
        bends: net
            .bends
            .iter()
            .map(|bends| bends.iter().map(|at| (net.cells[*at].x + shift, net.cells[*at].row)).collect())
            .collect(),
        upwards,
        width: right + shift + SPACE,
    }
}

/// Which lines are turned round: those that lead back to a box on the path to their start.
fn find_reversed(count: usize, lines: &[(usize, usize)]) -> Vec<bool> {
    let mut outgoing = vec![Vec::new(); count];
    for (line, (from, to)) in lines.iter().enumerate() {
        outgoing[*from].push((line, *to));
    }
    let mut turned = vec![false; lines.len()];
    let (mut open, mut done) = (vec![false; count], vec![false; count]);
    for root in 0..count {
        if done[root] || open[root] {
            continue;
        }
        let mut stack = vec![(root, 0)];
        open[root] = true;
        while let Some((at, next)) = stack.last_mut() {
            let Some((line, to)) = outgoing[*at].get(*next).copied() else {
                (open[*at], done[*at]) = (false, true);
                stack.pop();
                continue;
            };
            *next += 1;
            if open[to] {
                turned[line] = true;
            } else if !done[to] {
                open[to] = true;
                stack.push((to, 0));
            }
        }
    }
    turned
}

/// The length of the longest path to each box. Lines from a box to itself do not count.
fn row_of(count: usize, lines: &[(usize, usize)]) -> Vec<usize> {
    let (mut outgoing, mut incoming) = (vec![Vec::new(); count], vec![0usize; count]);
    for (from, to) in lines.iter().filter(|(from, to)| from != to) {
        outgoing[*from].push(*to);
        incoming[*to] += 1;
    }
    let mut rows = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|at| incoming[*at] == 0).collect();
    while let Some(at) = ready.pop() {
        for to in &outgoing[at] {
            rows[*to] = rows[*to].max(rows[at] + 1);
            incoming[*to] -= 1;
            if incoming[*to] == 0 {
                ready.push(*to);
            }
        }
    }
    rows
}

/// A box, or the bend of a line.
struct LayoutNode {
    row: usize,
    width: f64,
    /// The middle.
    x: f64,
    up: Vec<usize>,
    down: Vec<usize>,
    /// How strongly it is drawn to its neighbours.
    weight: f64,
    bend: bool,
}

/// Boxes and bends; lines between neighbouring rows only.
struct Net {
    cells: Vec<LayoutNode>,
    layers: Vec<Vec<usize>>,
    bends: Vec<Vec<usize>>,
}

impl Net {
    fn new(sizes: &[Size], rows: &[usize], lines: &[(usize, usize)]) -> Net {
        let cell = |(at, size): (usize, &Size)| LayoutNode {
            row: rows[at],
            width: size.width,
            x: 0.0,
            up: Vec::new(),
            down: Vec::new(),
            weight: 1.0,
            bend: false,
        };
        let mut net =
            Net { cells: sizes.iter().enumerate().map(cell).collect(), layers: Vec::new(), bends: Vec::new() };
        for (from, to) in lines {
            let inner = (rows[*from] + 1)..rows[*to].max(rows[*from] + 1);
            let few = net.cells.len() + inner.len() < MAX_BENDS;
            let inner = if few { inner } else { 0..0 };
            let mut last = *from;
            let mut bends = Vec::new();
            for row in inner {
                net.cells.push(LayoutNode {
                    row,
                    width: 0.0,
                    x: 0.0,
                    up: vec![last],
                    down: Vec::new(),
                    weight: 2.0,
                    bend: true,
                });
                let bend = net.cells.len() - 1;
                net.cells[last].down.push(bend);
                bends.push(bend);
                last = bend;
            }
            if from != to && few {
                net.cells[last].down.push(*to);
                net.cells[*to].up.push(last);
            }
            net.bends.push(bends);
        }
        net.layers = vec![Vec::new(); rows.iter().map(|row| row + 1).max().unwrap_or(0)];
        net.depth_first();
        net
    }

    /// The first order: as a walk along the lines meets them.
    fn depth_first(&mut self) {
        let mut seen = vec![false; self.cells.len()];
        for root in 0..self.cells.len() {
            let mut stack = vec![root];
            while let Some(at) = stack.pop() {
                if !std::mem::replace(&mut seen[at], true) {
                    self.layers[self.cells[at].row].push(at);
                    stack.extend(self.cells[at].down.iter().rev());
                }
            }
        }
    }

    fn order(&mut self) {
        let mut best = (self.crossings(), self.layers.clone());
        for sweep in 0..ORDER_SWEEPS {
            let position = self.positions();
            let mut position = position;
            let count = self.layers.len();
            for step in 0..count {
                let row = if sweep.is_multiple_of(2) { step } else { count - 1 - step };
                let mean = |at: &usize| {
                    let near = if sweep.is_multiple_of(2) { &self.cells[*at].up } else { &self.cells[*at].down };
                    match near.len() {
                        0 => position[*at] as f64,
                        n => near.iter().map(|other| position[*other] as f64).sum::<f64>() / n as f64,
                    }
                };
                let mut keyed: Vec<(f64, usize)> = self.layers[row].iter().map(|at| (mean(at), *at)).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                self.layers[row] = keyed.into_iter().map(|(_, at)| at).collect();
                self.layers[row].iter().enumerate().for_each(|(place, at)| position[*at] = place);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
            if best.0 == 0 {
                break;
            }
        }
        self.layers = best.1;
    }

    fn positions(&self) -> Vec<usize> {
        let mut position = vec![0; self.cells.len()];
        for layer in &self.layers {
            layer.iter().enumerate().for_each(|(place, at)| position[*at] = place);
        }
        position
    }

    /// How many lines between neighbouring rows cross.
    fn crossings(&self) -> usize {
        let position = self.positions();
        let mut total = 0;
        for layer in &self.layers {
            let mut ends: Vec<usize> = Vec::new();
            for at in layer {
                let mut below: Vec<usize> = self.cells[*at].down.iter().map(|to| position[*to]).collect();
                below.sort_unstable();
                total += below.iter().map(|end| ends.len() - ends.partition_point(|other| other <= end)).sum::<usize>();
                for end in below {
                    let place = ends.partition_point(|other| *other <= end);
                    ends.insert(place, end);
                }
            }
        }
        total
    }

    fn place(&mut self) {
        for row in 0..self.layers.len() {
            let wanted: Vec<f64> = vec![0.0; self.layers[row].len()];
            self.settle(row, &wanted);
        }
        for sweep in 0..PLACE_SWEEPS {
            let count = self.layers.len();
            for step in 0..count {
                let row = if sweep.is_multiple_of(2) { step } else { count - 1 - step };
                let wanted: Vec<f64> = self.layers[row].iter().map(|at| self.wanted(*at, sweep)).collect();
                self.settle(row, &wanted);
            }
        }
    }

    /// Where a cell would like to be: at the mean of those above or below it, at last of both.
    fn wanted(&self, at: usize, sweep: usize) -> f64 {
        let cell = &self.cells[at];
        let both = sweep + 4 >= PLACE_SWEEPS;
        let (up, down) = (both || sweep.is_multiple_of(2), both || !sweep.is_multiple_of(2));
        let near = cell.up.iter().filter(|_| up).chain(cell.down.iter().filter(|_| down));
        let (sum, weight) = near.fold((0.0, 0.0), |(sum, weight), other| {
            let pull = if cell.bend && self.cells[*other].bend { 4.0 } else { 1.0 };
            (sum + pull * self.cells[*other].x, weight + pull)
        });
        if weight == 0.0 { cell.x } else { sum / weight }
    }

    /// Puts the cells of a row as near as can be to where they would like to be, in their order and apart.
    fn settle(&mut self, row: usize, wanted: &[f64]) {
        /// Neighbours that touch: the places that they would like their first one to be at, added up.
        struct Pool {
            sum: f64,
            weight: f64,
            members: usize,
        }
        let layer = &self.layers[row];
        let mut distance = 0.0;
        let mut distances = Vec::with_capacity(layer.len());
        let mut pools: Vec<Pool> = Vec::new();
        for (place, at) in layer.iter().enumerate() {
            if place > 0 {
                distance += self.apart(layer[place - 1], *at);
            }
            distances.push(distance);
            let weight = self.cells[*at].weight;
            pools.push(Pool { sum: weight * (wanted[place] - distance), weight, members: 1 });
            while let [.., left, right] = pools.as_slice() {
                if left.sum / left.weight <= right.sum / right.weight {
                    break;
                }
                let merged = Pool {
                    sum: left.sum + right.sum,
                    weight: left.weight + right.weight,
                    members: left.members + right.members,
                };
                pools.truncate(pools.len() - 2);
                pools.push(merged);
            }
        }
        let starts = pools.iter().flat_map(|pool| std::iter::repeat_n(pool.sum / pool.weight, pool.members));
        let places: Vec<f64> = starts.zip(&distances).map(|(start, distance)| start + distance).collect();
        for (at, x) in self.layers[row].clone().into_iter().zip(places) {
            self.cells[at].x = x;
        }
    }

    /// The least distance between the middles of two neighbours.
    fn apart(&self, left: usize, right: usize) -> f64 {
        let (left, right) = (&self.cells[left], &self.cells[right]);
        let space = if left.bend && right.bend { LINE_SPACE } else { SPACE };
        (left.width + right.width) / 2.0 + space
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxes(count: usize) -> Vec<Size> {
        vec![Size { width: 100.0, height: 30.0 }; count]
    }

    #[test]
    fn lines_go_down_and_a_cycle_has_one_that_goes_up() {
        let found = layout(&boxes(4), &[(0, 1), (1, 2), (2, 1), (1, 3)]);
        assert_eq!(found.upwards, [false, false, true, false]);
        let rows: Vec<usize> = found.places.iter().map(|(_, row)| *row).collect();
        assert_eq!(rows, [0, 1, 2, 2]);
    }

    #[test]
    fn boxes_of_a_row_do_not_overlap() {
        let lines: Vec<(usize, usize)> = (1..40).map(|to| (0, to)).chain((1..40).map(|from| (from, 40))).collect();
        let found = layout(&boxes(41), &lines);
        let mut row: Vec<f64> = found.places.iter().filter(|(_, row)| *row == 1).map(|(x, _)| *x).collect();
        row.sort_by(f64::total_cmp);
        assert_eq!(row.len(), 39);
        assert!(row.windows(2).all(|pair| pair[1] - pair[0] >= 100.0), "{row:?}");
    }

    #[test]
    fn crossings_are_undone() {
        // 0 leads to 1 and 2, 1 to 4, 2 to 3: in the order of numbers two lines cross.
        let found = layout(&boxes(5), &[(0, 1), (0, 2), (1, 4), (2, 3)]);
        let left = |at: usize| found.places[at].0;
        assert_eq!(left(1) < left(2), left(4) < left(3));
    }

    #[test]
    fn long_lines_bend_in_each_row() {
        let found = layout(&boxes(4), &[(0, 1), (1, 2), (2, 3), (0, 3)]);
        assert_eq!(found.bends[3].iter().map(|(_, row)| *row).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn the_same_graph_gives_the_same_picture() {
        let lines: Vec<(usize, usize)> = (0..200).map(|at| (at / 3, at + 1)).chain([(150, 7), (180, 7)]).collect();
        let (first, second) = (layout(&boxes(201), &lines), layout(&boxes(201), &lines));
        assert_eq!(first.places, second.places);
    }

    #[test]
    fn nothing_is_a_picture_too() {
        let found = layout(&[], &[]);
        assert!(found.places.is_empty() && found.rows.is_empty());
    }
}
