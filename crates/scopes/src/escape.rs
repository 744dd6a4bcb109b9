//! Where the life of an object matters: an object that is only accessed by its name, or lent to functions that keep nothing of its address, is
//! alive wherever it is used. Where its address goes elsewhere a later use might come too late.

use belay_llvm::{LLVMOpcode, LLVMValueKind, Value};
use rustc_hash::FxHashSet;

/// True if clang marked the life of this stack object.
pub fn has_lifetime_markers(alloca: Value) -> bool {
    alloca.users().into_iter().any(|user| is_call_of(user, "llvm.lifetime.start"))
}

/// The instructions that use the address for anything but a direct access; address arithmetic and choices between addresses hand it on.
pub fn escapes(alloca: Value) -> Vec<Value> {
    uses(alloca, |user, address| match user.opcode() {
        LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMICmp => true,
        // A wide value that an arithmetic check hands to its handler by address.
        LLVMOpcode::LLVMPtrToInt => user.users().into_iter().all(|call| is_call_of(call, "__ubsan_handle_")),
        LLVMOpcode::LLVMCall => {
            is_call_of(user, "llvm.mem")
                || is_call_of(user, "llvm.va_")
                || only_copied(user, address)
                || only_lent(user, address, &mut FxHashSet::default())
        }
        _ => false,
    })
}

/// The instructions that may read the object by its name: everything that uses its address and is no plain write.
pub fn reads(alloca: Value) -> Vec<Value> {
    uses(alloca, |_, _| false)
}

/// The instructions that use the address of an object, or one that is made of it, and neither write to it nor are harmless.
fn uses(alloca: Value, is_harmless: impl Fn(Value, Value) -> bool) -> Vec<Value> {
    let mut found = Vec::new();
    let mut work = vec![alloca];
    let mut seen = FxHashSet::default();
    while let Some(address) = work.pop() {
        if !seen.insert(address) {
            continue;
        }
        for user in address.users() {
            if user.kind() != LLVMValueKind::LLVMInstructionValueKind {
                continue;
            }
            match user.opcode() {
                LLVMOpcode::LLVMStore if user.operand(0) != address => {}
                LLVMOpcode::LLVMGetElementPtr
                | LLVMOpcode::LLVMBitCast
                | LLVMOpcode::LLVMPHI
                | LLVMOpcode::LLVMSelect => work.push(user),
                _ if is_harmless(user, address) => {}
                _ => found.push(user),
            }
        }
    }
    found
}

/// True if a call uses the address only until it returns: the object is alive there, because it is named there, and nothing of the
/// address is left afterwards.
fn only_lent(call: Value, address: Value, seen: &mut FxHashSet<(Value, usize)>) -> bool {
    let callee = call.callee();
    if callee.kind() != LLVMValueKind::LLVMFunctionValueKind {
        return false;
    }
    let mut passed = call.arguments().into_iter().enumerate().filter(|(_, argument)| *argument == address);
    passed.all(|(index, _)| keeps_nothing(callee, index, call.users().is_empty(), seen))
}

/// True if nothing of a function's argument is left when it returns. For functions that call each other the answer is the greatest one that
/// agrees with itself: an address that is only handed round is kept nowhere.
fn keeps_nothing(function: Value, index: usize, unused: bool, seen: &mut FxHashSet<(Value, usize)>) -> bool {
    if function.is_declaration() {
        let name = function.name();
        let gives_back = matches!(name.as_str(), "memcpy" | "memmove" | "memset" | "strcpy" | "strncpy") && index == 0;
        let only_looks = ["strlen", "strcmp", "strncmp", "memcmp", "puts", "printf"].contains(&name.as_str());
        let copies = matches!(name.as_str(), "memcpy" | "memmove" | "strcpy" | "strncpy") && index == 1;
        return only_looks || copies || gives_back && unused;
    }
    let Some(param) = function.params().get(index).copied() else { return false };
    if !seen.insert((function, index)) {
        return true;
    }
    let mut work = vec![param];
    let mut done = FxHashSet::default();
    while let Some(value) = work.pop() {
        if done.insert(value) && !value.users().into_iter().all(|user| is_passing_use(user, value, &mut work, seen)) {
            return false;
        }
    }
    true
}

/// True if a use of an address leaves nothing of it behind; the values that have it afterwards are added to `work`.
fn is_passing_use(user: Value, value: Value, work: &mut Vec<Value>, seen: &mut FxHashSet<(Value, usize)>) -> bool {
    if user.kind() != LLVMValueKind::LLVMInstructionValueKind {
        return false;
    }
    match user.opcode() {
        LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMICmp => true,
        LLVMOpcode::LLVMStore if user.operand(0) != value => true,
        // A parameter has a variable of its own.
        LLVMOpcode::LLVMStore => match variable_of(user.operand(1)) {
            Some(loads) => {
                work.extend(loads);
                true
            }
            None => false,
        },
        LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMSelect => {
            work.push(user);
            true
        }
        LLVMOpcode::LLVMCall if is_call_of(user, "llvm.mem") || is_call_of(user, "llvm.lifetime") => true,
        LLVMOpcode::LLVMCall => only_copied(user, value) || only_lent(user, value, seen),
        _ => false,
    }
}

/// What is read from a variable whose own address is used for nothing but reading and writing it.
pub(crate) fn variable_of(address: Value) -> Option<Vec<Value>> {
    let is_alloca =
        address.kind() == LLVMValueKind::LLVMInstructionValueKind && address.opcode() == LLVMOpcode::LLVMAlloca;
    if !is_alloca {
        return None;
    }
    let mut loads = Vec::new();
    for user in address.users() {
        if user.kind() != LLVMValueKind::LLVMInstructionValueKind {
            return None;
        }
        match user.opcode() {
            LLVMOpcode::LLVMLoad => loads.push(user),
            LLVMOpcode::LLVMStore if user.operand(0) != address => {}
            LLVMOpcode::LLVMCall if is_call_of(user, "llvm.lifetime") => {}
            _ => return None,
        }
    }
    Some(loads)
}

/// True if a call gets the object by value: what it sees is a copy.
fn only_copied(call: Value, address: Value) -> bool {
    let mut passed = call.arguments().into_iter().enumerate().filter(|(_, argument)| *argument == address);
    passed.all(|(index, _)| call.byval_argument(index as u32).is_some()) && call.callee() != address
}

/// True for a call of a function whose name begins so.
pub fn is_call_of(inst: Value, prefix: &str) -> bool {
    inst.kind() == LLVMValueKind::LLVMInstructionValueKind
        && inst.opcode() == LLVMOpcode::LLVMCall
        && inst.callee().kind() == LLVMValueKind::LLVMFunctionValueKind
        && inst.callee().name().starts_with(prefix)
}
