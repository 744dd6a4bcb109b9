//! Strongly connected components: Tarjan's search (*Depth-first search and linear graph algorithms*, 1972) with a stack of its own, so that long
//! chains do not end the program's.

/// A search that may start from several roots, and may be made again in parts of the graph.
#[derive(Clone, Debug)]
pub struct Components {
    clock: usize,
    /// The order of discovery from 1, 0 if not yet seen.
    seen: Vec<usize>,
    low: Vec<usize>,
    open: Vec<usize>,
    is_open: Vec<bool>,
    found: Vec<Vec<usize>>,
}

impl Components {
    /// A search in a graph of so many nodes.
    pub fn new(count: usize) -> Self {
        Self {
            clock: 0,
            seen: vec![0; count],
            low: vec![0; count],
            open: Vec::new(),
            is_open: vec![false; count],
            found: Vec::new(),
        }
    }

    /// Finds the components of all nodes that can be reached from `root` and were not seen before. A component comes after all that it leads to.
    pub fn search_from<I: IntoIterator<Item = usize>>(&mut self, root: usize, successors: impl Fn(usize) -> I) {
        if self.seen[root] != 0 {
            return;
        }
        self.discover(root);
        let mut stack = vec![(root, successors(root).into_iter())];
        while let Some((node, rest)) = stack.last_mut() {
            let node = *node;
            match rest.next() {
                Some(next) if self.seen[next] == 0 => {
                    self.discover(next);
                    stack.push((next, successors(next).into_iter()));
                }
                Some(next) if self.is_open[next] => self.low[node] = self.low[node].min(self.seen[next]),
                Some(_) => {}
                None => {
                    stack.pop();
                    if let Some((above, _)) = stack.last() {
                        self.low[*above] = self.low[*above].min(self.low[node]);
                    }
                    self.close(node);
                }
            }
        }
    }

    /// Forgets that a node was seen.
    pub fn forget(&mut self, node: usize) {
        self.seen[node] = 0;
    }

    /// The components found since the last time, in the order in which they were found.
    pub fn take(&mut self) -> Vec<Vec<usize>> {
        std::mem::take(&mut self.found)
    }

    fn discover(&mut self, node: usize) {
        self.clock += 1;
        self.seen[node] = self.clock;
        self.low[node] = self.clock;
        self.open.push(node);
        self.is_open[node] = true;
    }

    /// Takes the component of `node` off the stack if `node` was the first of it.
    fn close(&mut self, node: usize) {
        if self.low[node] != self.seen[node] {
            return;
        }
        let start = self.open.iter().rposition(|open| *open == node).expect("an open node is on the stack");
        let component = self.open.split_off(start);
        for member in &component {
            self.is_open[*member] = false;
        }
        self.found.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(edges: &[&[usize]]) -> Vec<Vec<usize>> {
        let mut search = Components::new(edges.len());
        (0..edges.len()).for_each(|root| search.search_from(root, |node| edges[node].to_vec()));
        let mut found = search.take();
        found.iter_mut().for_each(|component| component.sort_unstable());
        found
    }

    #[test]
    fn what_is_led_to_comes_first() {
        assert_eq!(find(&[&[1], &[2, 3], &[1], &[]]), [vec![3], vec![1, 2], vec![0]]);
        assert_eq!(find(&[&[0], &[0]]), [vec![0], vec![1]]);
    }

    #[test]
    fn long_chains_need_no_deep_stack() {
        let mut search = Components::new(1_000_000);
        search.search_from(0, |node| (node + 1 < 1_000_000).then_some(node + 1));
        assert_eq!(search.take().len(), 1_000_000);
    }

    /// Two nodes are in one component if each can be reached from the other.
    #[test]
    fn components_are_those_of_mutual_reachability() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..300 {
            let mut draw = |below: usize| random.usize(..below);
            let edges: Vec<Vec<usize>> = (0..8).map(|_| (0..draw(3)).map(|_| draw(8)).collect()).collect();
            let slices: Vec<&[usize]> = edges.iter().map(Vec::as_slice).collect();
            let found = find(&slices);
            let reaches = |from: usize, to: usize| {
                let (mut seen, mut open) = (vec![from], vec![from]);
                while let Some(node) = open.pop() {
                    for next in &edges[node] {
                        if !seen.contains(next) {
                            seen.push(*next);
                            open.push(*next);
                        }
                    }
                }
                seen.contains(&to)
            };
            for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
                let together = found.iter().any(|component| component.contains(&a) && component.contains(&b));
                assert_eq!(together, reaches(a, b) && reaches(b, a), "{edges:?}: {a} and {b}");
            }
        }
    }
}
