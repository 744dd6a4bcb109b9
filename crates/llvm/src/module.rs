//! Contexts, modules, layouts and types behind LLVM's C API.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use llvm_sys::LLVMAttributeFunctionIndex;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;

use super::{LLVMTypeKind, Value};

/// An LLVM context with the diagnostics that it reported.
pub struct Context {
    pub(super) raw: LLVMContextRef,
    #[allow(clippy::box_collection, reason = "LLVM holds the vector's address, so it must not move")]
    messages: Box<Vec<String>>,
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, messages: *mut c_void) {
    // SAFETY: `messages` is the boxed vector that `Context::new` registered, alive as long as the context.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) == llvm_sys::LLVMDiagnosticSeverity::LLVMDSError {
            let text = LLVMGetDiagInfoDescription(info);
            (*messages.cast::<Vec<String>>()).push(owned(text));
        }
    }
}

/// Copies and frees a message that LLVM allocated.
pub(super) unsafe fn owned(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: LLVM hands over a NUL-terminated string that the caller must dispose of.
    unsafe {
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        copy
    }
}

pub(super) unsafe fn borrowed(text: *const c_char, len: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: LLVM says that `len` bytes stand at `text`.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(text.cast::<u8>(), len) }).into_owned()
}

/// Modules do not fit together; the context has heard why.
#[derive(Clone, Copy, Debug)]
pub struct NotLinked;

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Context {
    pub fn new() -> Self {
        let mut messages = Box::<Vec<String>>::default();
        // SAFETY: the boxed vector does not move and outlives the context.
        let raw = unsafe {
            let raw = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(raw, Some(collect), ptr::from_mut(messages.as_mut()).cast());
            raw
        };
        Self { raw, messages }
    }

    /// Reads a module from IR text or bitcode.
    pub fn parse(&self, name: &str, bytes: &[u8]) -> Result<Module, String> {
        let name = CString::new(name.replace('\0', "?")).expect("no NUL is left");
        let (mut module, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the buffer is a copy that lives until the parser is done.
        let failed = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name.as_ptr());
            let failed = llvm_sys::ir_reader::LLVMParseIRInContext2(self.raw, buffer, &mut module, &mut message);
            LLVMDisposeMemoryBuffer(buffer);
            failed
        };
        if failed != 0 || module.is_null() {
            // SAFETY: on failure `message` is set.
            let message = unsafe { owned(message) };
            return Err(if message.is_empty() { self.messages.join("; ") } else { message });
        }
        Ok(Module { raw: module })
    }

    /// What LLVM complained about so far.
    pub fn complaints(&self) -> String {
        self.messages.join("; ")
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: modules are dropped before their context (they are locals declared after it).
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// A module.
pub struct Module {
    pub(super) raw: LLVMModuleRef,
}

impl Drop for Module {
    fn drop(&mut self) {
        if !self.raw.is_null() {
            // SAFETY: owned, and not linked into another module.
            unsafe { LLVMDisposeModule(self.raw) }
        }
    }
}

pub(crate) fn walk(first: LLVMValueRef, next: impl Fn(LLVMValueRef) -> LLVMValueRef) -> Vec<Value> {
    let mut all = Vec::new();
    let mut at = first;
    while !at.is_null() {
        all.push(Value(at));
        at = next(at);
    }
    all
}

impl Module {
    /// The functions, declarations included.
    pub fn functions(&self) -> Vec<Value> {
        // SAFETY: walks the module's own list.
        unsafe { walk(LLVMGetFirstFunction(self.raw), |value| LLVMGetNextFunction(value)) }
    }

    /// The global variables, declarations included.
    pub fn globals(&self) -> Vec<Value> {
        // SAFETY: walks the module's own list.
        unsafe { walk(LLVMGetFirstGlobal(self.raw), |value| LLVMGetNextGlobal(value)) }
    }

    /// Moves everything of `other` into this module.
    pub fn link(&mut self, mut other: Module) -> Result<(), NotLinked> {
        let raw = std::mem::replace(&mut other.raw, ptr::null_mut());
        // SAFETY: the linker takes `raw` over, whether it succeeds or not.
        match unsafe { llvm_sys::linker::LLVMLinkModules2(self.raw, raw) } {
            0 => Ok(()),
            _ => Err(NotLinked),
        }
    }

    /// Makes a static function visible to other modules, under another name.
    pub fn export(&self, function: Value, name: &str) {
        // SAFETY: the function is one of this module's, and alive. A declaration of that name in the module becomes the function.
        unsafe {
            let known =
                CString::new(name).ok().and_then(|name| Value::some(LLVMGetNamedFunction(self.raw, name.as_ptr())));
            if let Some(known) = known.filter(|known| known.is_declaration()) {
                LLVMReplaceAllUsesWith(known.0, function.0);
                LLVMDeleteFunction(known.0);
            }
            LLVMSetValueName2(function.0, name.as_ptr().cast(), name.len());
            LLVMSetLinkage(function.0, llvm_sys::LLVMLinkage::LLVMExternalLinkage);
        }
    }

    /// Turns a function into a declaration with the same attributes.
    pub fn remove_body(&self, function: Value) {
        let name = function.name();
        let Ok(text) = CString::new(name) else { return };
        // SAFETY: the function is one of this module's and is not used after it is deleted.
        unsafe {
            LLVMSetValueName2(function.0, c"".as_ptr(), 0);
            let declared = LLVMAddFunction(self.raw, text.as_ptr(), LLVMGlobalGetValueType(function.0));
            for place in (0..=LLVMCountParams(function.0)).chain([LLVMAttributeFunctionIndex]) {
                let mut attributes = vec![ptr::null_mut(); LLVMGetAttributeCountAtIndex(function.0, place) as usize];
                LLVMGetAttributesAtIndex(function.0, place, attributes.as_mut_ptr());
                for attribute in attributes {
                    LLVMAddAttributeAtIndex(declared, place, attribute);
                }
            }
            LLVMReplaceAllUsesWith(function.0, declared);
            LLVMDeleteFunction(function.0);
        }
    }

    /// LLVM's own check of the module.
    pub fn verify(&self) -> Result<(), String> {
        let mut message = ptr::null_mut();
        let action = llvm_sys::analysis::LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: `message` is set by the call in every case.
        unsafe {
            let failed = llvm_sys::analysis::LLVMVerifyModule(self.raw, action, &mut message);
            let message = owned(message);
            if failed != 0 { Err(message) } else { Ok(()) }
        }
    }

    /// The sizes that the module was compiled for.
    pub fn layout(&self) -> Layout {
        // SAFETY: the module is alive.
        Layout(unsafe { LLVMGetModuleDataLayout(self.raw) })
    }

    /// The global of this name.
    pub fn global(&self, name: &str) -> Option<Value> {
        let name = CString::new(name).ok()?;
        // SAFETY: a look-up.
        Value::some(unsafe { LLVMGetNamedGlobal(self.raw, name.as_ptr()) })
    }
}

/// The data layout of a module.
#[derive(Clone, Copy)]
pub struct Layout(LLVMTargetDataRef);

// SAFETY of this block: the layout belongs to a module that is alive, the types are sized where LLVM asks for it.
impl Layout {
    pub fn is_little_endian(self) -> bool {
        unsafe { LLVMByteOrder(self.0) == LLVMByteOrdering::LLVMLittleEndian }
    }
    pub fn pointer_bytes(self) -> u32 {
        unsafe { LLVMPointerSize(self.0) }
    }
    /// The distance between two elements of an array of `ty`.
    pub fn alloc_size(self, ty: Ty) -> u64 {
        unsafe { LLVMABISizeOfType(self.0, ty.0) }
    }
    pub fn store_size(self, ty: Ty) -> u64 {
        unsafe { LLVMStoreSizeOfType(self.0, ty.0) }
    }
    pub fn abi_align(self, ty: Ty) -> u32 {
        unsafe { LLVMABIAlignmentOfType(self.0, ty.0) }
    }
    pub fn field_offset(self, ty: Ty, index: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.0, ty.0, index) }
    }
}

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ty(pub(super) LLVMTypeRef);

// SAFETY of this block: queries on a live type of the kind that the query is for.
impl Ty {
    pub fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }
    pub fn is_void(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVoidTypeKind
    }
    pub fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }
    pub fn int_width(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }
    pub fn field_count(self) -> u32 {
        unsafe { LLVMCountStructElementTypes(self.0) }
    }
    pub fn field(self, index: u32) -> Ty {
        Ty(unsafe { LLVMStructGetTypeAtIndex(self.0, index) })
    }
    pub fn element(self) -> Ty {
        Ty(unsafe { LLVMGetElementType(self.0) })
    }
    pub fn array_len(self) -> u64 {
        unsafe { LLVMGetArrayLength2(self.0) }
    }
    pub fn vector_len(self) -> u64 {
        u64::from(unsafe { LLVMGetVectorSize(self.0) })
    }
    pub fn return_type(self) -> Ty {
        Ty(unsafe { LLVMGetReturnType(self.0) })
    }
    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
    pub fn params(self) -> Vec<Ty> {
        let count = unsafe { LLVMCountParamTypes(self.0) } as usize;
        let mut raw = vec![ptr::null_mut(); count];
        unsafe { LLVMGetParamTypes(self.0, raw.as_mut_ptr()) };
        raw.into_iter().map(Ty).collect()
    }
    pub fn describe(self) -> String {
        unsafe { owned(LLVMPrintTypeToString(self.0)) }
    }
    /// The name of a struct type that has one.
    pub fn struct_name(self) -> Option<String> {
        let name = unsafe { LLVMGetStructName(self.0) };
        // SAFETY: LLVM's own string, which ends in a 0 and lives as long as the context.
        (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    }
}
