//! A persistent map from small numbers: a radix tree with shared nodes.
//!
//! States are copied at every branch and compared at every join. A copy is one reference count, a change copies one path
//! unless nobody else holds it, and a comparison skips what both sides share, so that a join costs what the branches
//! changed and not what there is (Okasaki and Gill, *Fast mergeable integer maps*, 1998, with wider nodes).

use std::rc::Rc;

/// Bits of the key that a level decides.
const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

#[derive(Clone, Debug)]
enum Node<T> {
    Leaf([Option<T>; WIDTH]),
    Inner([Option<Rc<Node<T>>>; WIDTH]),
}

/// A map from `u32` to `T` that is cheap to copy.
#[derive(Clone, Debug)]
pub struct Trie<T> {
    root: Option<Rc<Node<T>>>,
    /// The levels above the leaves.
    height: u32,
}

impl<T> Default for Trie<T> {
    fn default() -> Self {
        Self { root: None, height: 0 }
    }
}

fn digit(key: u32, level: u32) -> usize {
    (key >> (BITS * level)) as usize % WIDTH
}

fn fits(key: u32, height: u32) -> bool {
    let bits = BITS * (height + 1);
    bits >= u32::BITS || key >> bits == 0
}

impl<T: Copy + PartialEq> Trie<T> {
    /// True if both are the same tree, without a look inside.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// The entry of `key`.
    pub fn get(&self, key: u32) -> Option<T> {
        if !fits(key, self.height) {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut level = self.height;
        loop {
            match node {
                Node::Leaf(entries) => return entries[digit(key, 0)],
                Node::Inner(children) => node = children[digit(key, level)].as_deref()?,
            }
            level = level.saturating_sub(1);
        }
    }

    /// Sets the entry of `key`.
    pub fn set(&mut self, key: u32, value: T) {
        self.put(key, Some(value));
    }

    /// Takes the entry of `key` away.
    pub fn remove(&mut self, key: u32) {
        if self.get(key).is_some() {
            self.put(key, None);
        }
    }

    fn put(&mut self, key: u32, value: Option<T>) {
        while !fits(key, self.height) {
            if let Some(root) = self.root.take() {
                let mut children = std::array::from_fn(|_| None);
                children[0] = Some(root);
                self.root = Some(Rc::new(Node::Inner(children)));
            }
            self.height += 1;
        }
        let mut slot = &mut self.root;
        for level in (1..=self.height).rev() {
            let node = slot.get_or_insert_with(|| Rc::new(Node::Inner(std::array::from_fn(|_| None))));
            let Node::Inner(children) = Rc::make_mut(node) else { return };
            slot = &mut children[digit(key, level)];
        }
        let node = slot.get_or_insert_with(|| Rc::new(Node::Leaf([None; WIDTH])));
        if let Node::Leaf(entries) = Rc::make_mut(node) {
            entries[digit(key, 0)] = value;
        }
    }

    /// The entries in order of their keys.
    pub fn entries(&self) -> Vec<(u32, T)> {
        let mut found = Vec::new();
        collect(self.root.as_ref(), self.height, 0, &mut |key, value| found.push((key, value)));
        found
    }

    /// The keys at which the two differ, in order, with the entries of both.
    pub fn differences(&self, other: &Self) -> Vec<(u32, Option<T>, Option<T>)> {
        let mut found = Vec::new();
        let height = self.height.max(other.height);
        let (a, b) = (self.raise(height), other.raise(height));
        compare(a.as_ref(), b.as_ref(), height, 0, &mut found);
        found
    }

    fn raise(&self, height: u32) -> Option<Rc<Node<T>>> {
        let mut root = self.root.clone()?;
        for _ in self.height..height {
            let mut children = std::array::from_fn(|_| None);
            children[0] = Some(root);
            root = Rc::new(Node::Inner(children));
        }
        Some(root)
    }
}

fn collect<T: Copy>(node: Option<&Rc<Node<T>>>, level: u32, prefix: u32, found: &mut impl FnMut(u32, T)) {
    match node.map(Rc::as_ref) {
        None => {}
        Some(Node::Leaf(entries)) => {
            for (index, entry) in (0..).zip(entries) {
                if let Some(value) = entry {
                    found(prefix | index, *value);
                }
            }
        }
        Some(Node::Inner(children)) => {
            for (index, child) in (0..).zip(children) {
                let below: u32 = index;
                collect(child.as_ref(), level.saturating_sub(1), prefix | below << (BITS * level), found);
            }
        }
    }
}

type Difference<T> = (u32, Option<T>, Option<T>);

fn compare<T: Copy + PartialEq>(
    a: Option<&Rc<Node<T>>>,
    b: Option<&Rc<Node<T>>>,
    level: u32,
    prefix: u32,
    found: &mut Vec<Difference<T>>,
) {
    match (a, b) {
        (None, None) => {}
        (Some(a), Some(b)) if Rc::ptr_eq(a, b) => {}
        (Some(a), None) => collect(Some(a), level, prefix, &mut |key, value| found.push((key, Some(value), None))),
        (None, Some(b)) => collect(Some(b), level, prefix, &mut |key, value| found.push((key, None, Some(value)))),
        (Some(a), Some(b)) => match (a.as_ref(), b.as_ref()) {
            (Node::Leaf(x), Node::Leaf(y)) => {
                for index in 0..WIDTH {
                    if x[index] != y[index] {
                        found.push((prefix | index as u32, x[index], y[index]));
                    }
                }
            }
            (Node::Inner(x), Node::Inner(y)) => {
                for index in 0..WIDTH {
                    let below = prefix | (index as u32) << (BITS * level);
                    compare(x[index].as_ref(), y[index].as_ref(), level.saturating_sub(1), below, found);
                }
            }
            // Both trees have the same height, so their nodes at one level are of one kind.
            (Node::Leaf(_), Node::Inner(_)) | (Node::Inner(_), Node::Leaf(_)) => {}
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn behaves_as_a_map() {
        let (mut trie, mut map, mut random) = (Trie::default(), BTreeMap::new(), fastrand::Rng::with_seed(1));
        let mut next = |bound: u64| random.u64(..bound);
        let mut earlier = (trie.clone(), map.clone());
        for step in 0..4000 {
            let key = (next(1 << 3) << next(28)) as u32;
            if next(3) == 0 {
                trie.remove(key);
                map.remove(&key);
            } else {
                trie.set(key, step);
                map.insert(key, step);
            }
            assert_eq!(trie.get(key), map.get(&key).copied());
            if step % 97 == 0 {
                assert!(trie.entries().into_iter().eq(map.clone()));
                let differences = earlier.0.differences(&trie);
                let keys: std::collections::BTreeSet<u32> = earlier.1.keys().chain(map.keys()).copied().collect();
                let expected: Vec<_> = keys
                    .into_iter()
                    .map(|key| (key, earlier.1.get(&key).copied(), map.get(&key).copied()))
                    .filter(|(_, a, b)| a != b)
                    .collect();
                assert_eq!(differences, expected);
                earlier = (trie.clone(), map.clone());
            }
        }
    }
}
