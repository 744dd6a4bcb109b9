//! The names that C17 reserves for its library. A function of such a name that the program does not define is the library's; without
//! a model nothing is known of what it writes or returns, so that a call of it is refused instead of taken for an input.

/// Without the functions of `<math.h>`, which come in three types each.
const FUNCTIONS: &str = "
    isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper
    feclearexcept fegetexceptflag feraiseexcept fesetexceptflag fetestexcept fegetround fesetround fegetenv feholdexcept
    fesetenv feupdateenv imaxabs imaxdiv strtoimax strtoumax wcstoimax wcstoumax setlocale localeconv raise
    remove rename tmpfile tmpnam fclose fflush fopen freopen setbuf setvbuf fscanf scanf sscanf vfscanf vscanf vsscanf
    fgetc fgets getc getchar gets ungetc fread fwrite fgetpos fseek fsetpos ftell rewind clearerr feof ferror
    atexit atof atoi atol atoll strtod strtof strtold strtol strtoll strtoul strtoull rand srand aligned_alloc getenv system
    bsearch qsort abs labs llabs div ldiv lldiv mblen mbtowc wctomb mbstowcs wcstombs
    strcpy strncpy strcat strncat memcmp strcmp strcoll strncmp strxfrm memchr strchr strcspn strpbrk strrchr strspn strstr
    strtok strerror clock difftime mktime time asctime ctime gmtime localtime strftime timespec_get
    mbrtoc16 c16rtomb mbrtoc32 c32rtomb fwprintf fwscanf swprintf swscanf vfwprintf vfwscanf vswprintf vswscanf vwprintf
    vwscanf wprintf wscanf fgetwc fgetws fputwc fputws fwide getwc getwchar putwc putwchar ungetwc wcstod wcstof wcstold
    wcstol wcstoll wcstoul wcstoull wcscpy wcsncpy wmemcpy wmemmove wcscat wcsncat wcscmp wcscoll wcsncmp wcsxfrm wmemcmp
    wcschr wcscspn wcspbrk wcsrchr wcsspn wcsstr wcstok wmemchr wcslen wmemset wcsftime btowc wctob mbsinit mbrlen mbrtowc
    wcrtomb mbsrtowcs wcsrtombs iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace
    iswupper iswxdigit iswctype wctype towlower towupper towctrans wctrans";

/// The functions of `<math.h>` for `double`; `float` adds an `f`, `long double` an `l`.
const MATH: &str = "
    acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10 log1p log2
    logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint lrint llrint round
    lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma";

/// True for a function of the C library.
pub fn is_library_function(name: &str) -> bool {
    let among = |list: &str, name: &str| list.split_whitespace().any(|entry| entry == name);
    let of_other_type = name.strip_suffix(['f', 'l']).is_some_and(|base| among(MATH, base));
    among(FUNCTIONS, name) || among(MATH, name) || of_other_type
}

#[cfg(test)]
mod tests {
    use super::is_library_function;

    #[test]
    fn names_of_the_library_and_others() {
        for name in ["sin", "sinf", "sinl", "modf", "modff", "mktime", "wctrans"] {
            assert!(is_library_function(name), "{name}");
        }
        for name in ["s", "sinff", "mktimef", "", "nondet_int", "mod"] {
            assert!(!is_library_function(name), "{name}");
        }
    }
}
