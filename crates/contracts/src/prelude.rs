//! What stands before the C that clauses become.

/// What stands before the C that clauses become: the verifier's functions by names that no program declares otherwise.
pub const PRELUDE: &str = "\
void *__belay_block(__SIZE_TYPE__, __SIZE_TYPE__) __asm__(\"__belay_aligned_block\");
void __belay_assume(int) __asm__(\"__VERIFIER_assume\");
void __belay_assert(int, const char *) __asm__(\"__CPROVER_assert\");
_Bool __belay_choice(void) __asm__(\"__VERIFIER_nondet_bool\");
unsigned long long __belay_any_ulonglong(void) __asm__(\"__VERIFIER_nondet_ulonglong\");
unsigned int __belay_any_uint(void) __asm__(\"__VERIFIER_nondet_uint\");
unsigned short __belay_any_ushort(void) __asm__(\"__VERIFIER_nondet_ushort\");
unsigned char __belay_any_uchar(void) __asm__(\"__VERIFIER_nondet_uchar\");
int __belay_r_ok(const void *, __SIZE_TYPE__) __asm__(\"__CPROVER_r_ok\");
int __belay_w_ok(const void *, __SIZE_TYPE__) __asm__(\"__CPROVER_w_ok\");
int __belay_same(const void *, const void *) __asm__(\"__CPROVER_same_object\");
__SIZE_TYPE__ __belay_whole(const void *) __asm__(\"__CPROVER_OBJECT_SIZE\");
__SIZE_TYPE__ __belay_offset(const void *) __asm__(\"__CPROVER_POINTER_OFFSET\");
int __belay_is_heap(const void *) __asm__(\"__CPROVER_DYNAMIC_OBJECT\");
void __belay_release(void *) __asm__(\"free\");
void __belay_havoc(void *, __SIZE_TYPE__) __asm__(\"__CPROVER_havoc_slice\");
void __belay_unsupported(const char *);
void __belay_only_looks(const void *);
void __belay_any_globals(void);
int __belay_is_static(const void *);
";
