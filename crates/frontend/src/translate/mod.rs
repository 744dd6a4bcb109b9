//! LLVM IR to the program form: the module as a whole.
//!
//! Functions with a body are all translated, in the module's order. Globals and declarations get an id when something
//! first refers to them, so that what only the sanitizer's reports use is left behind.

mod access;
mod alignment;
mod arithmetic;
mod atomic;
mod call;
mod constant;
mod cprover;
mod debug;
mod externs;
mod frames;
mod function;
mod global;
mod intrinsic;
mod jumps;
mod label;
mod leaves;
mod lives;
mod mmio;
mod nearest;
mod orders;
mod poison;
mod scan;
mod sorting;
mod statics;
mod surround;
mod unchecked;
mod undeclared;
mod vectors;
mod x87;

use belay_base::Span;
use belay_ir::{
    Builtin, DataLayout, Externs, FuncId, FuncKind, Function, Global, GlobalId, Param, Program, Type, verify_program,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::{Context, LLVMValueKind, Layout, Module, Ty, Value};
use crate::models::{NEAREST, RUN_HANDLERS, mark_of};
use crate::standard::is_of_system;
use belay_clang::FrontendError;
use belay_contracts::blocks::CALLBACK;
pub use cprover::NO_MODEL;
use debug::DebugInfo;
use function::FunctionTranslator;
use leaves::leaves_of;

pub use call::{is_memory_function, is_without_model};
pub use cprover::{fills_memory, is_uninterpreted};
pub use frames::ANY_GLOBALS;
pub use poison::NOT_POISON;
pub use scan::{STEPS, stream_at};
pub use x87::{X87_MODELS, uses_x87};

/// What a module is translated to.
pub struct Target {
    /// The target's data layout.
    pub layout: DataLayout,
    /// Whether accesses have an obligation to be aligned.
    pub check_alignment: bool,
    /// What functions without a body do.
    pub externs: Externs,
    /// Whether volatile objects that are no locals may change at any time.
    pub volatile_changes: bool,
    /// Whether runs end at error labels and in error functions.
    pub errors_end_runs: bool,
    /// Whether an array may have the length 0.
    pub empty_arrays: bool,
    /// Variables that start with any value.
    pub any_statics: FxHashSet<String>,
    /// Functions that the user gave as LLVM IR.
    pub given_as_ir: FxHashSet<String>,
    /// Ranges of addresses that are there without being anybody's object, both ends included.
    pub mmio: Vec<(u64, u64)>,
}

/// The state of a translation.
pub struct Translator<'c> {
    layout: Layout,
    program: Program,
    debug: DebugInfo<'c>,
    context: &'c Context,
    functions: FxHashMap<Value, FuncId>,
    globals: FxHashMap<Value, GlobalId>,
    /// The objects whose addresses are those of labels.
    labels: FxHashMap<crate::llvm::Bb, GlobalId>,
    /// Globals that have an id but no content yet.
    pending_globals: Vec<(GlobalId, Value)>,
    /// For each library function whose address is taken, a function with a body that calls it.
    wrappers: FxHashMap<Value, FuncId>,
    /// What is called before arithmetic that rounds, where the program may choose how.
    nearest: Option<FuncId>,
    check_alignment: bool,
    externs: Externs,
    volatile_changes: bool,
    errors_end_runs: bool,
    empty_arrays: bool,
    /// The size of the smallest struct that has a volatile member.
    least_volatile_struct: Option<u64>,
    /// Variables that functions in other files may write, as far as the program uses them.
    visible_globals: Vec<Value>,
    /// Whether a number may be an address.
    hides_addresses: bool,
    /// Whether other files can find a variable that has no name there.
    shares_statics: bool,
    /// Whether control may come back to a `setjmp`.
    jumps: bool,
    /// The uninterpreted functions that are called.
    uninterpreted: Vec<String>,
    /// Functions that the user gave as LLVM IR.
    given_as_ir: FxHashSet<String>,
    /// Functions without a body that return pointers, and the same without a result.
    without_result: FxHashMap<FuncId, FuncId>,
    /// Addresses that are there without being anybody's object.
    mmio: Vec<mmio::Window>,
}

/// What the user's own files define.
pub struct Names<'n> {
    /// Functions.
    pub functions: &'n FxHashSet<String>,
    /// Variables, those included that are only declared.
    pub globals: &'n FxHashSet<String>,
}

/// Translates a linked module.
pub fn translate(
    context: &Context,
    module: &Module,
    target: Target,
    names: &Names<'_>,
) -> Result<Program, FrontendError> {
    let user_functions = names.functions;
    let mut translator = Translator {
        layout: module.layout(),
        program: Program::new(target.layout),
        debug: DebugInfo::new(context),
        context,
        functions: FxHashMap::default(),
        globals: FxHashMap::default(),
        labels: FxHashMap::default(),
        pending_globals: Vec::new(),
        wrappers: FxHashMap::default(),
        nearest: None,
        check_alignment: target.check_alignment,
        externs: target.externs,
        volatile_changes: target.volatile_changes,
        errors_end_runs: target.errors_end_runs,
        empty_arrays: target.empty_arrays,
        least_volatile_struct: access::least_volatile_struct(module, user_functions),
        visible_globals: module.globals().into_iter().filter(|global| is_visible(*global)).collect(),
        hides_addresses: externs::hides_addresses(module, user_functions),
        shares_statics: externs::shares_statics(module),
        jumps: module.functions().into_iter().any(|function| jumps::is_longjmp(&function.name())),
        uninterpreted: Vec::new(),
        given_as_ir: target.given_as_ir,
        without_result: FxHashMap::default(),
        mmio: Vec::new(),
    };
    translator.add_windows(&target.mmio);
    translator.translate_functions(module, user_functions);
    translator.program.constructors = translator.startup_list(module, "llvm.global_ctors");
    if !target.any_statics.is_empty() {
        let start = translator.fill_statics(module, &target.any_statics);
        translator.program.constructors.insert(0, start);
    }
    let handlers = translator.program.function_named(RUN_HANDLERS);
    let destructors = translator.startup_list(module, "llvm.global_dtors");
    translator.program.destructors = handlers.into_iter().chain(destructors.into_iter().rev()).collect();
    translator.translate_pending_globals();
    translator.place_library_variables(names.globals);
    translator.describe_statics(names.globals);
    if let Some(marked) = translator.mark_system_variables() {
        translator.program.constructors.insert(0, marked);
    }
    let wrappers: Vec<FuncId> = translator.wrappers.values().copied().collect();
    let mut program = translator.program;
    frames::refuse_effects(&mut program);
    sorting::choose_models(&mut program);
    orders::open_results(&mut program);
    frames::check_writes(&mut program);
    jumps::lower_jumps(&mut program);
    surround::surround_calls(&mut program, &wrappers);
    verify_program(&program).map_err(|error| FrontendError::Internal(error.to_string()))?;
    Ok(program)
}

/// True for a variable that a function in another file may write. `errno` is one of them.
fn is_visible(global: Value) -> bool {
    let name = global.name();
    // Streams are the library's: that others leave them in order is taken for granted.
    let is_own = name.starts_with("__belay_") || name.starts_with("llvm.") || is_stream(global);
    let is_errno = name.starts_with("__errno_location.");
    let is_variable = !global.is_constant_global() && !global.users().is_empty();
    is_variable && !is_own && (is_errno || !global.is_local())
}

/// True for a standard stream. Other names of the library are those of functions, which a program may give to its variables.
fn is_stream(global: Value) -> bool {
    let is_pointer = global.value_type().kind() == crate::llvm::LLVMTypeKind::LLVMPointerTypeKind;
    is_pointer && matches!(global.name().as_str(), "stdin" | "stdout" | "stderr")
}

impl<'c> Translator<'c> {
    /// What the library owns lies where its own authors put it, not where clang puts the model's.
    fn place_library_variables(&mut self, user_globals: &FxHashSet<String>) {
        for (value, id) in self.globals.iter().filter(|(value, _)| !user_globals.contains(&value.name())) {
            let global = &mut self.program.globals[*id];
            global.align = global.align.min(self.layout.abi_align(value.value_type()).max(1));
        }
    }

    fn translate_functions(&mut self, module: &Module, user_functions: &FxHashSet<String>) {
        let defined: Vec<Value> =
            module.functions().into_iter().filter(|function| !function.is_declaration()).collect();
        for value in &defined {
            let id = self.function_id(*value);
            let is_model = !user_functions.contains(&value.name());
            self.program.functions[id].is_model = is_model;
            if is_model {
                self.program.functions[id].mark = mark_of(&value.name());
            }
        }
        self.nearest = self.program.function_named(NEAREST);
        for value in defined {
            let id = self.functions[&value];
            FunctionTranslator::new(self, id, value).translate();
        }
    }

    /// The id of a function, which is declared if it is new.
    fn function_id(&mut self, value: Value) -> FuncId {
        if let Some(id) = self.functions.get(&value) {
            return *id;
        }
        let function = self.declare(value);
        let id = self.program.functions.push(function);
        self.functions.insert(value, id);
        id
    }

    fn declare(&mut self, value: Value) -> Function {
        let name = value.name();
        let ty = value.value_type();
        let kind = match (value.is_declaration(), Builtin::from_name(&name)) {
            (false, _) => FuncKind::Defined,
            (true, Some(builtin)) => FuncKind::Builtin(builtin),
            (true, None) => FuncKind::Extern,
        };
        Function {
            params: self.params(value, ty),
            variadic: ty.is_variadic(),
            results: self.types(ty.return_type()),
            span: self.debug.function_span(&mut self.program.files, value),
            ..Function::empty(name, kind)
        }
    }

    fn params(&self, function: Value, ty: Ty) -> Vec<Param> {
        let mut params = Vec::new();
        for (index, (param, param_ty)) in function.params().into_iter().zip(ty.params()).enumerate() {
            let byval = function.byval_param(index as u32).map(|object| self.byval_size(object));
            let name = param.name();
            let parts = self.types(param_ty);
            let single = parts.len() == 1;
            params.extend(parts.into_iter().enumerate().map(|(part, ty)| {
                let name = if single { name.clone() } else { format!("{name}.{part}") };
                Param { name, ty, byval }
            }));
        }
        params
    }

    fn byval_size(&self, object: Ty) -> (u64, u32) {
        (self.layout.alloc_size(object), self.layout.abi_align(object).max(1))
    }

    /// The register types of a value of type `ty`; none if it can't be in registers.
    fn types(&self, ty: Ty) -> Vec<Type> {
        leaves_of(self.layout, ty).map(|leaves| leaves.into_iter().map(|leaf| leaf.ty).collect()).unwrap_or_default()
    }

    /// The function whose address `value` is. A library function that is built in gets a body that calls it, so that a call
    /// through a pointer always arrives at code with obligations of its own.
    fn address_of_function(&mut self, value: Value) -> FuncId {
        let id = self.function_id(value);
        let is_library = match self.program.functions[id].kind {
            FuncKind::Defined => false,
            FuncKind::Builtin(_) => true,
            FuncKind::Extern => call::is_memory_function(&value.name()) || call::is_without_model(&value.name()),
        };
        let is_extern = self.program.functions[id].kind == FuncKind::Extern;
        let is_callback = is_extern && value.name().starts_with(CALLBACK);
        let is_refused = is_extern && self.is_refused_through_pointer(id);
        if !is_library && !is_refused && !is_callback {
            return id;
        }
        if let Some(wrapper) = self.wrappers.get(&value) {
            return *wrapper;
        }
        let mut wrapper = self.program.functions[id].clone();
        wrapper.kind = FuncKind::Defined;
        wrapper.is_model = true;
        let wrapper_id = self.program.functions.push(wrapper);
        self.wrappers.insert(value, wrapper_id);
        let translator = FunctionTranslator::new(self, wrapper_id, value);
        if is_callback {
            translator.return_anything();
        } else {
            translator.wrap_library_function();
        }
        wrapper_id
    }

    /// A function without a body that is called through a pointer: what it is given is not seen there.
    fn is_refused_through_pointer(&self, id: FuncId) -> bool {
        let function = &self.program.functions[id];
        let address = self.program.layout.pointer_bits();
        let leads_on = |ty: Type| match ty {
            Type::Ptr => true,
            Type::Int(width) => self.hides_addresses && width >= address,
            Type::F32 | Type::F64 => false,
        };
        let is_given = function.variadic || function.params.iter().any(|param| leads_on(param.ty));
        match self.externs {
            Externs::Pure => false,
            Externs::Refuse => true,
            // What a function of the system's library returns is no matter of choice.
            Externs::Havoc if is_of_system(&function.name) => true,
            Externs::Havoc => is_given || !self.visible_globals.is_empty() || self.shares_statics,
        }
    }

    /// The id of a built-in function that the program need not have declared.
    fn builtin_id(&mut self, name: &str, builtin: Builtin, params: &[Type], result: Option<Type>) -> FuncId {
        let kind = FuncKind::Builtin(builtin);
        let known = self.program.function_named(name).filter(|id| self.program.functions[*id].kind == kind);
        known.unwrap_or_else(|| {
            let param = |(index, ty): (usize, &Type)| Param { name: format!("a{index}"), ty: *ty, byval: None };
            self.program.functions.push(Function {
                params: params.iter().enumerate().map(param).collect(),
                results: result.into_iter().collect(),
                ..Function::empty(name, kind)
            })
        })
    }

    /// The id of a global, which is declared if it is new; its content follows later.
    fn global_id(&mut self, value: Value) -> GlobalId {
        if let Some(id) = self.globals.get(&value) {
            return *id;
        }
        let span = self.debug.global_span(&mut self.program.files, value);
        let global = Global {
            name: value.name(),
            size: self.global_size(value),
            align: value.align().max(1),
            init: None,
            constant: value.is_constant_global(),
            literal: value.is_literal(),
            ctype: global::ctype_of(value.value_type()),
            span,
        };
        let id = self.program.globals.push(global);
        self.globals.insert(value, id);
        self.pending_globals.push((id, value));
        id
    }

    /// A constant text.
    fn text(&mut self, text: &str) -> GlobalId {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        self.program.globals.push(Global {
            name: ".text".to_owned(),
            size: Some(bytes.len() as u64),
            align: 1,
            init: Some(belay_ir::GlobalInit { bytes, relocations: Vec::new() }),
            constant: true,
            literal: true,
            ctype: belay_ir::CType::Aggregate,
            span: Span::NONE,
        })
    }

    /// `extern int a[];` says nothing of the size.
    fn global_size(&self, value: Value) -> Option<u64> {
        let ty = value.value_type();
        let size = ty.is_sized().then(|| self.layout.alloc_size(ty))?;
        (!value.is_declaration() || size > 0).then_some(size)
    }

    /// What an alias stands for.
    fn resolve_alias(mut value: Value) -> Value {
        while value.kind() == LLVMValueKind::LLVMGlobalAliasValueKind {
            value = value.aliasee();
        }
        value
    }
}
