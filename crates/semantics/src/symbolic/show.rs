//! States in words, with C names.

use belay_ir::Program;
use belay_logic::simplex::{LinExpr, Rat, Rel, Var};

use super::state::{AllocId, State, Value};

impl State {
    /// What the state says about its innermost frame: values, cells and constraints.
    pub fn facts(&self, program: &Program) -> Vec<String> {
        let mut facts = Vec::new();
        if let Some(frame) = self.frames.last() {
            let function = &program.functions[frame.function];
            for (inst, value) in &frame.values {
                let Some(local) = function.local_of_value(*inst) else { continue };
                if let Value::Int(expr) | Value::Pointer(_, expr) = value
                    && self.sum(expr) != local.name
                {
                    facts.push(format!("{} == {}", local.name, self.sum(expr)));
                }
            }
        }
        for cell in &self.cells {
            let Value::Int(value) = &cell.value else { continue };
            let object = match cell.alloc {
                AllocId::Global(id) => program.globals[id].name.clone(),
                AllocId::Made(number) => format!("object{number}"),
            };
            facts.push(format!("{object}[{}] == {}", self.sum(&cell.offset), self.sum(value)));
        }
        facts.extend(self.knowledge.constraints.iter().map(|known| {
            let (mut left, mut right) = (Vec::new(), Vec::new());
            for (var, factor) in known.expr.terms() {
                let side = if factor.is_positive() { &mut left } else { &mut right };
                side.push((*var, factor.abs()));
            }
            let (up, down) = match known.expr.offset().is_positive() {
                true => (known.expr.offset().clone(), Rat::ZERO),
                false => (Rat::ZERO, known.expr.offset().abs()),
            };
            let sign = match known.rel {
                Rel::Ge => ">=",
                Rel::Gt => ">",
                Rel::Eq => "==",
            };
            format!("{} {sign} {}", self.sum(&LinExpr::new(left, up)), self.sum(&LinExpr::new(right, down)))
        }));
        facts
    }

    fn name(&self, var: Var) -> String {
        self.names.get(var.index()).cloned().unwrap_or_else(|| format!("x{}", var.0))
    }

    fn sum(&self, expr: &LinExpr) -> String {
        let mut text = String::new();
        for (var, factor) in expr.terms() {
            let sign = match (text.is_empty(), factor.is_negative()) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            if !factor.abs().is_one() {
                text.push_str(&format!("{}*", factor.abs()));
            }
            text.push_str(&self.name(*var));
        }
        let offset = expr.offset();
        match (text.is_empty(), offset.signum()) {
            (true, _) => offset.to_string(),
            (false, 0) => text,
            (false, 1) => format!("{text} + {offset}"),
            (false, _) => format!("{text} - {}", offset.abs()),
        }
    }
}
