/* What of C's types depends on the machine, as far as a program can notice. One line of `probe` is one line of the table in lib.rs. */
typedef __WCHAR_TYPE__ wide;
typedef __WINT_TYPE__ wide_int;
enum small { FIRST };
enum large { LARGE = 0x7fffffff };
struct long_long_member { char first; long long member; };
struct double_member { char first; double member; };
struct long_double_member { char first; long double member; };
struct pointer_member { char first; void *member; };
struct bits { int a : 3; char b : 6; long long c : 40; };
struct bits_across { char a; int b : 9; short c : 5; };
typedef struct {
    long long integer __attribute__((aligned(__alignof__(long long))));
    long double real __attribute__((aligned(__alignof__(long double))));
} most;
const int probe[] = {
    __CHAR_BIT__,
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
    (char)-1 < 0,
    sizeof(short),
    sizeof(int),
    sizeof(long),
    sizeof(long long),
    sizeof(void *),
    sizeof(__SIZE_TYPE__),
    sizeof(__PTRDIFF_TYPE__),
    sizeof(float),
    sizeof(double),
    sizeof(long double),
    __LDBL_MANT_DIG__,
    sizeof(_Bool),
    sizeof(wide),
    (wide)-1 < 0,
    sizeof(wide_int),
    sizeof(enum small),
    sizeof(enum large),
    (enum small)-1 < 0,
    _Alignof(short),
    _Alignof(int),
    _Alignof(long),
    _Alignof(long long),
    _Alignof(void *),
    _Alignof(float),
    _Alignof(double),
    _Alignof(long double),
    __builtin_offsetof(struct long_long_member, member),
    __builtin_offsetof(struct double_member, member),
    __builtin_offsetof(struct long_double_member, member),
    __builtin_offsetof(struct pointer_member, member),
    sizeof(struct bits),
    sizeof(struct bits_across),
    _Alignof(most),
};
