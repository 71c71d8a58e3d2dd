#include "cl/source.h"

#include "opened.h"

static selvi_type t;

static void resolves_with(const char *source, const char *options, const char *name, const char *expected)
{
    char text[24] = "";
    ck_assert_msg(selvi_source_resolve(source, options, name, &t), "%s is not resolved in: %s", name, source);
    selvi_type_name(t, text, sizeof text);
    ck_assert_msg(!strcmp(text, expected), "%s is %s instead of %s in: %s", name, text, expected, source);
}

static void resolves(const char *source, const char *name, const char *expected)
{
    resolves_with(source, NULL, name, expected);
}

static void unknown_with(const char *source, const char *options, const char *name)
{
    ck_assert_msg(!selvi_source_resolve(source, options, name, &t), "%s is resolved in: %s", name, source);
}

static void unknown(const char *source, const char *name)
{
    unknown_with(source, NULL, name);
}

START_TEST(a_plain_typedef_is_resolved)
{
    resolves("typedef float real; kernel void k(global real *x, real a) { x[0] = a; }", "real", "float");
    resolves("typedef unsigned int u;", "u", "uint");
    resolves("typedef unsigned\n  long   int u;", "u", "ulong");
    resolves("typedef const float real;", "real", "float");
    resolves("typedef float4 vec;", "vec", "float4");
    resolves("kernel void a(int b) { b++; }\ntypedef half h;\nkernel void c(h x) { }", "h", "half");
}
END_TEST

START_TEST(a_chain_of_typedefs_is_followed)
{
    resolves("typedef float a; typedef a b; typedef const b c;", "c", "float");
    unknown("typedef b a; typedef a b;", "a");
    unknown("typedef a a;", "a");
}
END_TEST

START_TEST(a_list_of_names_gives_each_the_type)
{
    resolves("typedef unsigned int u32, v, w;", "u32", "uint");
    resolves("typedef unsigned int u32, v, w;", "v", "uint");
    resolves("typedef unsigned int u32, v, w;", "w", "uint");
    resolves("typedef float *p, real;", "real", "float");
}
END_TEST

START_TEST(what_is_no_plain_value_type_is_unknown)
{
    unknown("typedef float *real;", "real");
    unknown("typedef float real, *p;", "p");
    unknown("typedef float *p, real[2];", "real");
    unknown("typedef float real[4];", "real");
    unknown("typedef float (real);", "real");
    unknown("typedef float real(int);", "real");
    unknown("typedef float real __attribute__((ext_vector_type(4)));", "real");
    unknown("typedef struct { float x; } params;", "params");
    unknown("typedef struct p { float x; } params;", "params");
    unknown("typedef struct real real;", "real");
    unknown("typedef struct { float x; } a, real;", "real");
    unknown("typedef enum { A, B } e;", "e");
    unknown("struct real { float x; };", "real");
    unknown("typedef global float *p;", "p");
    unknown("typedef other real;", "real");
    unknown("typedef float real2;", "real");
    unknown("", "real");
    unknown("float typedef real;", "real");
    unknown("typedef image2d_t picture;", "picture");
    unknown("typedef long long real;", "real");
    unknown("typedef float real", "real");
}
END_TEST

START_TEST(a_typedef_within_a_conditional_is_unknown)
{
    unknown("#ifdef DOUBLE\ntypedef double real;\n#else\ntypedef float real;\n#endif\n", "real");
    unknown("#if 1\ntypedef float real;\n#endif\n", "real");
    unknown("  #  ifdef X\ntypedef float real;\n#endif", "real");
    unknown("typedef\n#ifdef X\ndouble\n#else\nfloat\n#endif\nreal;", "real");
    unknown("#ifdef X\ntypedef double number;\n#endif\ntypedef number real;", "real");
    resolves("#ifdef X\n#define Y 1\n#endif\ntypedef float real;", "real", "float");
}
END_TEST

START_TEST(two_typedefs_of_one_name_are_unknown)
{
    unknown("typedef float real; typedef double real;", "real");
    unknown("typedef float real; typedef float real;", "real");
}
END_TEST

START_TEST(a_typedef_within_a_function_is_another_name)
{
    resolves("typedef float real; void f(int a) { typedef double real; real b = a; }", "real", "float");
    unknown("void f(int a) { typedef double real; }", "real");
}
END_TEST

START_TEST(comments_and_texts_hold_no_typedefs)
{
    resolves("/* typedef double real; */ typedef float real; // typedef int real;\n", "real", "float");
    resolves("constant char s[] = \"; typedef double real;\"; typedef float real;", "real", "float");
    resolves("constant char s[] = \"\\\"; typedef double real;\"; typedef float real;", "real", "float");
    resolves("constant char c = '\"'; typedef float real; constant char d = '\"';", "real", "float");
    resolves("typedef /* a */ float /* b\n */ real // c\n;", "real", "float");
    resolves("typedef float real; // a comment that goes on \\\ntypedef double real;\n", "real", "float");
    unknown("// typedef float real;", "real");
}
END_TEST

START_TEST(continued_lines_are_one)
{
    resolves("type\\\ndef flo\\\r\nat re\\\nal;", "real", "float");
    unknown("#define X \\\n typedef float real;\n", "real");
    unknown("typedef float real;\n#def\\\nine float double\n", "real");
}
END_TEST

START_TEST(a_simple_define_is_resolved)
{
    resolves("#define real float\nkernel void k(real a) { }", "real", "float");
    resolves("#define REAL float // the type\ntypedef REAL real;", "real", "float");
    resolves("#define real unsigned   int\n", "real", "uint");
    unknown("#define real float\n#undef real\n#define real double\n", "real");
    unknown("#ifdef X\n#define real float\n#endif\n", "real");
    unknown("#define real(x) float\n", "real");
    unknown("#define real (float)\n", "real");
    unknown("#define real\n", "real");
    unknown("#define real float\ntypedef double real;", "real");
}
END_TEST

START_TEST(a_built_in_word_that_is_a_macro_as_well_is_not_trusted)
{
    unknown("#define float double\ntypedef float real;", "real");
    unknown("typedef float real;\n#define float double\n", "real");
    unknown("#define unsigned\ntypedef unsigned int u;", "u");
    unknown("#define typedef extern\ntypedef float real;", "real");
    unknown("%:define float double\ntypedef float real;", "real");
    unknown("?\?=define float double\ntypedef float real;", "real");
    unknown_with("typedef float real;", "-Dfloat=double", "real");
    unknown_with("typedef float real;", "-O3 -D float", "real");
    unknown_with("typedef float real;", "-Dreal=double", "real");
}
END_TEST

START_TEST(a_plain_option_defines_a_type)
{
    resolves_with("typedef REAL real;", "-DREAL=double", "real", "double");
    resolves_with("typedef REAL real;", "-cl-fast-relaxed-math -D REAL=float -DN=3", "real", "float");
    unknown_with("typedef REAL real;", "-DREAL=double -DREAL=float", "real");
    unknown_with("typedef REAL real;", "-DREAL=double -UREAL", "real");
    unknown_with("typedef REAL real;", "-DREAL", "real");
    unknown_with("typedef REAL real;", "-DREAL=\"unsigned int\"", "real");
    unknown_with("#ifndef REAL\n#define REAL float\n#endif\ntypedef REAL real;", "-DREAL=double", "real");
    resolves_with("typedef float real;", "-Dreal2=double -DN=4", "real", "float");
}
END_TEST

START_TEST(other_files_may_say_anything)
{
    unknown("#include \"real.h\"\ntypedef float real;", "real");
    unknown_with("typedef float real;", "-include real.h", "real");
}
END_TEST

START_TEST(a_name_that_is_no_single_word_is_unknown)
{
    unknown("typedef float real;", "real*");
    unknown("typedef float real;", "struct real");
    unknown("typedef float real;", "");
    resolves("typedef float real;", "const real", "float");
}
END_TEST

START_TEST(brackets_that_do_not_match_make_all_unknown)
{
    unknown("typedef float real; kernel void k(int a) {", "real");
    unknown("#ifdef A\nvoid f(int a) {\n#else\nvoid f(float a) {\n#endif\n}\ntypedef float real;", "real");
}
END_TEST

static void has(const char *source)
{
    ck_assert_msg(selvi_source_has_globals(source), "no variables are seen in: %s", source);
}

static void has_none(const char *source)
{
    ck_assert_msg(!selvi_source_has_globals(source), "variables are seen in: %s", source);
}

START_TEST(variables_in_the_global_address_space_are_seen)
{
    has("global int counter;");
    has("__global int a[4] = {0};");
    has("int x;");
    has("int x = 3;");
    has("float4 v = (float4)(1.0f);");
    has("static int x;");
    has("extern global int x;");
    has("volatile global atomic_int lock = ATOMIC_VAR_INIT(0);");
    has("global float *p;");
    has("struct s { int a; } x;");
    has("struct s x;");
    has("struct s { int a; }; struct s x[2];");
    has("enum { A, B } e;");
    has("typedef struct { int a; } s; s x;");
    has("kernel void k(global int *a) { *a = 1; }\nint x;");
    has("int x;\nkernel void k(global int *a) { *a = x; }");
    has("#define N 4\nglobal int table[N];");
    has("int f(int), x;");
    has("__attribute__((aligned(16))) int x;");
    has("int x __attribute__((aligned(16)));");
    has("int a[sizeof(int)];");
}
END_TEST

START_TEST(constants_samplers_and_pointers_to_them_are_told_apart)
{
    has_none("__constant float table[] = {1, 2, 3};");
    has_none("constant int a = 2 * 3, b = 4;");
    has_none("static constant int a[2][2] = {{1, 2}, {3, 4}};");
    has_none("constant sampler_t s = CLK_FILTER_NEAREST;");
    has_none("const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP;");
    has_none("constant int *constant p = 0;");
    has_none("const int n = 3;");
    has("constant int *p;");
    has("constant int *global p;");
    has("constant int a = 1, *b;");
    has("const int *p;");
}
END_TEST

START_TEST(functions_are_no_variables)
{
    has_none("");
    has_none("void f(int a) { int b = a; }");
    has_none("static inline float4 f(float4 a) { return a; }");
    has_none("float f(float);");
    has_none("extern float f(float a, global float *b);");
    has_none("global float *f(global float *a);");
    has_none("float f(float) __attribute__((pure));");
    has_none("kernel void k(global int *a, local int *b, constant int *c) { *a = 1; }");
    has_none("__kernel __attribute__((reqd_work_group_size(1,1,1))) void f(global int *a) { a[0] = 1; }");
    has_none("__kernel void f(global int *a) __attribute__((reqd_work_group_size(1,1,1))) { a[0] = 1; }");
    has_none("__attribute__((always_inline)) int f(int a) { return a; }\nint g(int a) { return f(a); }");
    has_none("kernel void k(global int *a) { for (int i = 0; i < 4; i++) { a[i] = i; } int b[2] = {1, 2}; local int "
             "c[4]; }");
    has_none("struct s { int a; } f(int b) { struct s c = {b}; return c; }");
    has_none("#define REQUIRE(x) __attribute__((reqd_work_group_size(x, 1, 1)))\nkernel REQUIRE(4) void k(int a) { }");
    has_none("#define REAL float\nREAL f(REAL a);\nREAL f(REAL a) { return a; }");
}
END_TEST

START_TEST(types_are_no_variables)
{
    has_none("struct s { int a; float b[4]; };");
    has_none("struct s;");
    has_none("union u { int a; float b; };");
    has_none("enum { A = 1, B = 2 };");
    has_none("enum e { A, B };");
    has_none("typedef struct { int a; } s;");
    has_none("typedef float real; typedef global float *p; typedef int fn(int);");
    has_none("struct __attribute__((packed)) s { int a; };");
    has_none("struct s { int a; } __attribute__((packed));");
    has_none("_Static_assert(sizeof(int) == 4, \"int\");");
    has_none(";;");
}
END_TEST

START_TEST(directives_comments_and_texts_are_no_variables)
{
    has_none("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    has_none("#define COUNTER global int counter;\n#define TWO \\\n int x; \\\n int y;\n");
    has_none("/* global int x; */ // global int y;\n");
    has_none("_Pragma(\"OPENCL EXTENSION cl_khr_fp64 : enable\") kernel void k(int a) { }");
    has_none("_Pragma(\"unroll\")");
    has_none("constant char s[] = \"; global int x;\";");
    has_none("#ifdef X\n#error it's not here; global int x;\n#endif\nkernel void k(int a) { }");
    has_none("#include \"other.h\"\nkernel void k(int a) { }");
}
END_TEST

START_TEST(static_variables_of_functions_live_as_long_as_the_program)
{
    has("kernel void k(global int *a) { static global int n; *a = n++; }");
    has("kernel void k(global int *a) { int b = 1; static int n = 0; *a = n++; }");
    has("#define COUNT static int n\nkernel void k(global int *a) { COUNT; *a = n++; }");
    has_none("kernel void k(global int *a) { static constant int n[2] = {1, 2}; *a = n[1]; }");
    has_none("kernel void k(global int *a) { constant static int n = 2; *a = n; }");
    has_none("static int f(int a) { return a; }");
}
END_TEST

START_TEST(what_cannot_be_told_counts)
{
    has("DECLARE(int, x);");
    has("static DECLARE(x);");
    has("DECLARE(int, x) kernel void k(int a) { }");
    has("#define ARRAY(x) x[4]\nint ARRAY(x);");
    has("#define GLOBALS global int x;\nGLOBALS kernel void k(int a) { }");
    has("int (*f)(int);");
    has("int (x);");
    has("kernel void k(int a) {");
    has("kernel void k(int a) { } }");
    has("#ifdef A\nkernel void k(int a) {\n#else\nkernel void k(float a) {\n#endif\n}\nint x;");
    has("namespace n { int x; } kernel void k(int a) { }");
    has("extern \"C\" { int x; }");
    has("?\?/\nint");
    has("int x");
}
END_TEST

START_TEST(both_branches_of_a_conditional_are_looked_at)
{
    has("#if __OPENCL_C_VERSION__ >= 200\nglobal int x;\n#endif\n");
    has("#ifdef A\nkernel void k(int a) { }\n#else\nint x;\n#endif\n");
    has_none("#ifdef A\nkernel void k(int a) { }\n#else\nkernel void k(float a) { }\n#endif\n");
    has_none("kernel void k(int a) {\n#ifdef A\n  if (a) {\n    a++;\n  }\n#elif defined(B)\n a--;\n#endif\n}");
}
END_TEST

/* No source may lead the scanner astray: every beginning of one, and every one with a piece left out. */
START_TEST(cut_sources_do_no_harm)
{
    static const char source[] =
        "#if A\ntypedef unsigned int u32, v[2], *w;\n#endif\nglobal int (x)[4] = {1, 'a', \"b\\\"\"};"
        "/* c */ kernel __attribute__((x(1))) void k(global real *a, real b) { static int c; }\\\n<% %>";
    char cut[sizeof source];
    for (size_t begin = 0; begin < sizeof source; begin++)
        for (size_t bytes = 0; bytes < 24 && begin + bytes < sizeof source; bytes++) {
            memcpy(cut, source, begin);
            strcpy(cut + begin, source + begin + bytes);
            selvi_source_has_globals(cut);
            ck_assert(!selvi_source_resolve(cut, "-D", "real", &t));
            cut[begin] = 0;
            selvi_source_has_globals(cut);
            ck_assert(!selvi_source_resolve(cut, "-DX= -U", "w", &t));
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cl/source");
    TCase *c = tcase_create("types behind names");
    tcase_add_test(c, a_plain_typedef_is_resolved);
    tcase_add_test(c, a_chain_of_typedefs_is_followed);
    tcase_add_test(c, a_list_of_names_gives_each_the_type);
    tcase_add_test(c, what_is_no_plain_value_type_is_unknown);
    tcase_add_test(c, a_typedef_within_a_conditional_is_unknown);
    tcase_add_test(c, two_typedefs_of_one_name_are_unknown);
    tcase_add_test(c, a_typedef_within_a_function_is_another_name);
    tcase_add_test(c, comments_and_texts_hold_no_typedefs);
    tcase_add_test(c, continued_lines_are_one);
    tcase_add_test(c, a_simple_define_is_resolved);
    tcase_add_test(c, a_built_in_word_that_is_a_macro_as_well_is_not_trusted);
    tcase_add_test(c, a_plain_option_defines_a_type);
    tcase_add_test(c, other_files_may_say_anything);
    tcase_add_test(c, a_name_that_is_no_single_word_is_unknown);
    tcase_add_test(c, brackets_that_do_not_match_make_all_unknown);
    suite_add_tcase(s, c);
    c = tcase_create("variables at file scope");
    tcase_add_test(c, variables_in_the_global_address_space_are_seen);
    tcase_add_test(c, constants_samplers_and_pointers_to_them_are_told_apart);
    tcase_add_test(c, functions_are_no_variables);
    tcase_add_test(c, types_are_no_variables);
    tcase_add_test(c, directives_comments_and_texts_are_no_variables);
    tcase_add_test(c, static_variables_of_functions_live_as_long_as_the_program);
    tcase_add_test(c, what_cannot_be_told_counts);
    tcase_add_test(c, both_branches_of_a_conditional_are_looked_at);
    tcase_add_test(c, cut_sources_do_no_harm);
    suite_add_tcase(s, c);
    return run_suite(s);
}
