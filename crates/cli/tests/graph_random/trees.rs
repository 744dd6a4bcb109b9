//! Random programs about trees: what a graph shows of them no run contradicts, and every state of a run is represented.

use super::snippets::{self, Random};
use super::{follow_source, number};

/// Functions on trees that call themselves.
const RECURSIVE: &str = "
    struct T *leaf(int v) { struct T *z = malloc(sizeof *z); z->l = z->r = 0; z->v = v; return z; }
    struct T *grow(struct T *t, int v) { if (!t) return leaf(v); if (v < t->v) t->l = grow(t->l, v); else t->r = grow(t->r, v); return t; }
    int total(struct T *t) { return t ? 1 + total(t->l) + total(t->r) : 0; }
    void fell(struct T *t) { if (!t) return; fell(t->l); fell(t->r); free(t); }
    struct T *copy(struct T *t) { if (!t) return 0; struct T *z = leaf(t->v); z->l = copy(t->l); z->r = copy(t->r); return z; }
    void mirror(struct T *t) { if (!t) return; mirror(t->l); mirror(t->r); struct T *z = t->l; t->l = t->r; t->r = z; }
    void burn(struct P *p) { if (!p) return; burn(p->l); burn(p->r); free(p); }";

/// A statement over the tree `t`, a place `c` in it, and the tree `u` whose blocks lead up, with a place `x`.
fn statement(random: &mut Random, depth: u32) -> String {
    let value = random.pick(&["i", "2", "n", "i * 5 & 7", "k"]);
    let condition = random.pick(&["i < n", "t", "c", "t && t->l", "u", "x && x->up", "c && c->v == 2", "k & 1"]);
    match random.below(if depth == 0 { 17 } else { 21 }) {
        0 | 1 => format!("t = grow(t, {value});"),
        2 => format!("{{ struct T **p = &t; while (*p) p = {value} < (*p)->v ? &(*p)->l : &(*p)->r; *p = leaf({value}); }} c = 0;"),
        3 => "i += total(t);".to_owned(),
        4 => "fell(t); t = 0; c = 0;".to_owned(),
        5 => format!("c = t; while (c && c->v != {value}) c = c->v < i ? c->r : c->l;"),
        6 => format!("if (c) c->v = {value};"),
        7 => "if (t) { struct T **p = &t; while ((*p)->l) p = &(*p)->l; c = *p; *p = c->r; free(c); c = 0; }".to_owned(),
        8 => "if (t && t->l) { c = t->l; t->l = c->r; c->r = t; t = c; }".to_owned(),
        9 => format!("c = {};", random.pick(&["t", "0", "c ? c->l : t", "c ? c->r : 0"])),
        10 => "mirror(t);".to_owned(),
        11 => "{ struct T *z = copy(t); fell(t); t = z; c = t; }".to_owned(),
        12 => format!(
            "{{ struct P *w = u; x = 0; while (w) {{ x = w; w = {value} < w->v ? w->l : w->r; }} w = calloc(1, sizeof *w); w->v = {value};
               w->up = x; if (!x) u = w; else if ({value} < x->v) x->l = w; else x->r = w; }}"
        ),
        13 => "for (x = u; x && x->l; x = x->l) i++;".to_owned(),
        14 => "while (x && x->up) x = x->up;".to_owned(),
        15 => format!("if (c && !c->l) c->l = leaf({value});"),
        16 => "burn(u); u = x = 0;".to_owned(),
        17 => format!("if ({condition}) {{ {} }} else {{ {} }}", statement(random, depth - 1), statement(random, depth - 1)),
        18 | 19 => format!("for (k = 0; k < n; k++) {{ {} c = t; }}", statement(random, depth - 1)),
        _ => format!("{} {}", statement(random, depth - 1), statement(random, depth - 1)),
    }
}

fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let count = 1 + random.below(3);
    let body: Vec<String> = (0..count).map(|_| statement(&mut random, 2)).collect();
    format!(
        "struct T {{ struct T *l, *r; int v; }}; struct P {{ int v; struct P *up, *l, *r; }};
         {RECURSIVE}
         int main(void) {{ int n = in & 7, i = in & 7, k = 0; struct T *t = 0, *c = 0; struct P *u = 0, *x = 0;
         {}
         fell(t); burn(u); return 0; }}",
        body.join("\n         ")
    )
}

#[test]
fn no_run_contradicts_a_graph_of_trees() {
    let (first, count) = (number("BELAY_SEED").unwrap_or(0), number("BELAY_PROGRAMS").unwrap_or(16));
    let proved: usize = (first..first + count).map(|seed| snippets::check_graph(seed, program(seed))).sum();
    println!("{proved} properties shown of {count} programs");
    assert!(proved as u64 > count, "only {proved} properties shown of {count} programs");
}

#[test]
fn every_run_of_a_program_with_trees_is_a_path_of_its_graph() {
    let (first, count) = (number("BELAY_SEED").unwrap_or(0), number("BELAY_PROGRAMS").unwrap_or(30));
    let seen: usize = (first..first + count).map(|seed| follow_source(seed, program(seed))).sum();
    println!("{seen} states compared");
    assert!(seen as u64 > 5 * count, "only {seen} states compared");
}
