//! What a function writes and frees, as clauses of a contract: proposals from its uses, which `--enforce` accepts or not.

use crate::descriptions::Subject;
use crate::usage::Origin;

impl Subject<'_> {
    /// The clauses `assigns` and `frees`; none if some of it can't be named.
    pub fn frame(&self) -> Option<Vec<String>> {
        let (mut written, mut freed) = (Vec::new(), Vec::new());
        for (index, node) in self.usage.nodes.iter().enumerate() {
            if !node.is_written && !node.is_freed || matches!(node.origin, Origin::Local(_)) {
                continue;
            }
            if let Origin::Global(global) = node.origin {
                let name = &self.program.globals[global].name;
                self.types.variable(name)?;
                written.push(name.clone());
                continue;
            }
            let (place, guards) = self.place(index)?;
            let condition = guards.join(" && ");
            if node.is_written {
                let target = format!("__CPROVER_object_whole({place})");
                let is_certain = guards.is_empty();
                written.push(if is_certain { target } else { format!("{condition} : {target}") });
            }
            if node.is_freed {
                freed.push(place);
            }
        }
        let mut clauses = vec![format!("__CPROVER_assigns({})", written.join("; "))];
        if !freed.is_empty() {
            clauses.push(format!("__CPROVER_frees({})", freed.join(", ")));
        }
        Some(clauses)
    }

    /// Places that are described and do not seem to be freed.
    pub fn kept_places(&self) -> Vec<String> {
        let nodes = self.usage.nodes.iter().enumerate();
        let kept = nodes.filter(|(_, node)| node.is_accessed && !node.is_freed);
        kept.filter_map(|(index, _)| self.named(index)).map(|(place, ..)| place).collect()
    }

    /// Parameters through which nothing is written or freed.
    pub fn only_read(&self) -> Vec<String> {
        let is_changed = |node: usize| self.usage.nodes[node].is_written || self.usage.nodes[node].is_freed;
        let own = self.entry.params.iter().filter(|param| self.node(param).is_some_and(|node| !is_changed(node)));
        own.map(|param| param.name.clone()).collect()
    }

    /// How C names a pointer, and what must not be null for it to lead anywhere.
    fn place(&self, node: usize) -> Option<(String, Vec<String>)> {
        let (place, mut guards, ty) = self.named(node)?;
        self.types.pointee(&ty)?;
        if self.usage.nodes[node].is_null_tested {
            guards.push(format!("{place} != 0"));
        }
        Some((place, guards))
    }

    pub(crate) fn named(&self, node: usize) -> Option<(String, Vec<String>, String)> {
        match self.usage.nodes[node].origin {
            Origin::Param(index) => {
                let name = &self.function.params[index as usize].name;
                let param = self.entry.params.iter().find(|param| param.name == *name)?;
                Some((name.clone(), Vec::new(), param.ty.clone()))
            }
            Origin::Global(_) | Origin::Element(_) | Origin::Local(_) => None,
            Origin::Loaded(from, offset) => {
                let (holder, mut guards, ty) = self.named(from)?;
                if self.usage.nodes[from].is_null_tested {
                    guards.push(format!("{holder} != 0"));
                }
                let record = self.types.record(&self.types.pointee(&ty)?)?;
                let field = record
                    .fields
                    .iter()
                    .find(|field| field.offset == offset && self.types.pointee(&field.ty).is_some())?;
                Some((format!("{holder}->{}", field.path), guards, field.ty.clone()))
            }
        }
    }
}
