/* One source for two types: a model for float is the one for double with SINGLE defined. */
#include "belay.h"

#ifdef SINGLE
typedef float real;
typedef float _Complex real_pair;
typedef uint32_t real_bits;
#define REAL(name) name##f
enum { FRACTION = 23, BIAS = 127, FIELD = 0xff, SIGN_AT = 31 };
#else
typedef double real;
typedef double _Complex real_pair;
typedef uint64_t real_bits;
#define REAL(name) name
enum { FRACTION = 52, BIAS = 1023, FIELD = 0x7ff, SIGN_AT = 63 };
#endif

/* fabs or fabsf, and so on: operations of the verifier. */
#define BUILTIN(name) REAL(__builtin_##name)

static inline real_bits real_to_bits(real x)
{
    union { real value; real_bits bits; } pun = {x};
    return pun.bits;
}

static inline real real_from_bits(real_bits bits)
{
    union { real_bits bits; real value; } pun = {bits};
    return pun.value;
}

/* The exponent as it is encoded: 0 for zero and subnormals, FIELD for infinite and nan. */
static inline int real_field(real x)
{
    return (int)(real_to_bits(x) >> FRACTION & FIELD);
}

static inline real real_power_of_two(int n)
{
    return real_from_bits((real_bits)(BIAS + n) << FRACTION);
}

/* A whole number next to x, in the direction that fesetround chose. */
static inline real real_whole(real x)
{
    switch (__belay_rounding) {
    case BELAY_DOWNWARD: return BUILTIN(floor)(x);
    case BELAY_UPWARD: return BUILTIN(ceil)(x);
    case BELAY_TOWARDS_ZERO: return BUILTIN(trunc)(x);
    default: return BUILTIN(roundeven)(x);
    }
}
