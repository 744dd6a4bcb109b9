/* What CBMC's compiler knows without a declaration, for harnesses that are read with --rules cbmc. */
#define __CPROVER 1
typedef __SIZE_TYPE__ __CPROVER_size_t;
typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;
typedef _Bool __CPROVER_bool;

_Noreturn void __belay_unsupported(const char *);
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_precondition(_Bool, const char *);
void __CPROVER_postcondition(_Bool, const char *);
void __CPROVER_havoc_object(void *);
void __CPROVER_havoc_slice(void *, __CPROVER_size_t);
void __CPROVER_input(const char *, ...);
void __CPROVER_output(const char *, ...);
void __CPROVER_cover(_Bool);
void __CPROVER_array_set(const void *, ...);
void __CPROVER_array_copy(const void *, const void *);
void __CPROVER_array_replace(const void *, const void *);
_Bool __CPROVER_array_equal(const void *, const void *);
_Bool __CPROVER_r_ok(const void *, __CPROVER_size_t);
_Bool __CPROVER_w_ok(const void *, __CPROVER_size_t);
_Bool __CPROVER_rw_ok(const void *, __CPROVER_size_t);
_Bool __CPROVER_same_object(const void *, const void *);
_Bool __CPROVER_DYNAMIC_OBJECT(const void *);
__CPROVER_size_t __CPROVER_OBJECT_SIZE(const void *);
__CPROVER_size_t __CPROVER_POINTER_OFFSET(const void *);
__CPROVER_size_t __CPROVER_POINTER_OBJECT(const void *);

/* The size may be left out: it is that of what the pointer points to. */
#define __BELAY_SECOND(a, b, ...) b
#define __CPROVER_r_ok(p, ...) __CPROVER_r_ok(p, __BELAY_SECOND(p, ##__VA_ARGS__, sizeof(*(p))))
#define __CPROVER_w_ok(p, ...) __CPROVER_w_ok(p, __BELAY_SECOND(p, ##__VA_ARGS__, sizeof(*(p))))
#define __CPROVER_rw_ok(p, ...) __CPROVER_rw_ok(p, __BELAY_SECOND(p, ##__VA_ARGS__, sizeof(*(p))))

/* Whether b lies between a and c, in the same object. */
#define __CPROVER_pointer_in_range_dfcc(a, b, c) ({ const char *__belay_a = (const char *)(a), *__belay_b = (const char *)(b), *__belay_c = (const char *)(c); \
    __CPROVER_same_object(__belay_a, __belay_b) && __CPROVER_same_object(__belay_b, __belay_c) && \
    __CPROVER_POINTER_OFFSET(__belay_a) <= __CPROVER_POINTER_OFFSET(__belay_b) && __CPROVER_POINTER_OFFSET(__belay_b) <= __CPROVER_POINTER_OFFSET(__belay_c); })

/* Whether the mathematical result does not fit the type of the operation. */
#define __CPROVER_overflow_plus(a, b) ({ __typeof__((a) + (b)) __belay_result; (_Bool)__builtin_add_overflow(a, b, &__belay_result); })
#define __CPROVER_overflow_minus(a, b) ({ __typeof__((a) - (b)) __belay_result; (_Bool)__builtin_sub_overflow(a, b, &__belay_result); })
#define __CPROVER_overflow_mult(a, b) ({ __typeof__((a) * (b)) __belay_result; (_Bool)__builtin_mul_overflow(a, b, &__belay_result); })
#define __CPROVER_overflow_unary_minus(a) ({ __typeof__(-(a)) __belay_result; (_Bool)__builtin_sub_overflow(0, a, &__belay_result); })

/* Objects are smaller than half of what the offset bits of a pointer can tell. */
#define __CPROVER_max_malloc_size ((__CPROVER_size_t)1 << (sizeof(void *) * 8 - 9))
#define __CPROVER_thread_local _Thread_local
#line 1
