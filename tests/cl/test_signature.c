#include "cl/signature.h"

#include "opened.h"

static selvi_signature sig;
static cl_program program;
static cl_kernel kernel;

static void clean(void)
{
    selvi_signature_destroy(&sig);
    if (kernel)
        clReleaseKernel(kernel);
    if (program)
        clReleaseProgram(program);
    kernel = NULL;
    program = NULL;
    close_device();
}

static void read_kernel(const char *name)
{
    cl_int st;
    selvi_signature_destroy(&sig);
    if (kernel)
        clReleaseKernel(kernel);
    kernel = clCreateKernel(program, name, &st);
    ck_assert_int_eq(st, CL_SUCCESS);
    ck_assert_msg(selvi_signature_read(kernel, opened.at[0].id, &sig) == SELV_OK, "%s", selv_error());
}

static bool build(const char *source, const char *options)
{
    selvi_signature_destroy(&sig);
    if (kernel)
        clReleaseKernel(kernel);
    kernel = NULL;
    if (program)
        clReleaseProgram(program);
    program = build_plainly(source, options);
    return program != NULL;
}

static void read_source(const char *source, const char *options)
{
    ck_assert(build(source, options));
    read_kernel("k");
}

static void assert_parameter(unsigned i, selvi_parameter_kind kind, selv_mode mode, bool assumed)
{
    const selvi_parameter *p = &sig.parameters[i];
    ck_assert_msg(p->kind == kind && p->mode == mode && p->assumed == assumed,
                  "parameter %u (%s %s) has kind %d, mode %d, assumed %d", i, p->type_name ? p->type_name : "-",
                  p->name ? p->name : "-", p->kind, p->mode, p->assumed);
}

static void assert_value(unsigned i, const char *type)
{
    char text[24];
    assert_parameter(i, SELVI_PARAMETER_VALUE, SELV_NONE, false);
    selvi_type_name(sig.parameters[i].type, text, sizeof text);
    ck_assert_msg(!strcmp(text, type), "parameter %u is of type %s instead of %s", i, text, type);
}

#define INFO "-cl-kernel-arg-info"

START_TEST(pointers_tell_their_space_and_what_const_allows)
{
    read_source("kernel void k(global float *a, global const float *restrict b, const global float *c, "
                "global float *const d, global volatile float *e, constant float *f, local int *g, global uint4 *h) "
                "{ a[0] = b[0] + c[0] + d[0] + e[0] + f[0] + g[0] + h[0].x; }",
                INFO);
    ck_assert_str_eq(sig.name, "k");
    ck_assert_uint_eq(sig.count, 8);
    ck_assert(sig.informed && !sig.has_globals);
    assert_parameter(0, SELVI_PARAMETER_GLOBAL, SELV_READ_WRITE, true);
    assert_parameter(1, SELVI_PARAMETER_GLOBAL, SELV_READ, false);
    assert_parameter(2, SELVI_PARAMETER_GLOBAL, SELV_READ, false);
    assert_parameter(3, SELVI_PARAMETER_GLOBAL, SELV_READ_WRITE, true);
    assert_parameter(4, SELVI_PARAMETER_GLOBAL, SELV_READ_WRITE, true);
    assert_parameter(5, SELVI_PARAMETER_CONSTANT, SELV_READ, false);
    assert_parameter(6, SELVI_PARAMETER_LOCAL, SELV_NONE, false);
    assert_parameter(7, SELVI_PARAMETER_GLOBAL, SELV_READ_WRITE, true);
    ck_assert_str_eq(sig.parameters[0].type_name, "float*");
    ck_assert_str_eq(sig.parameters[0].name, "a");
    ck_assert_str_eq(sig.parameters[7].type_name, "uint4*");
    ck_assert(!sig.parameters[0].declared && !sig.parameters[0].untracked);
}
END_TEST

START_TEST(const_behind_a_typedef_is_const)
{
    read_source("typedef const float cf; typedef global float *pf; kernel void k(global cf *a, pf b) { b[0] = a[0]; }",
                INFO);
    assert_parameter(0, SELVI_PARAMETER_GLOBAL, SELV_READ, false);
    assert_parameter(1, SELVI_PARAMETER_GLOBAL, SELV_READ_WRITE, true);
}
END_TEST

START_TEST(values_tell_their_type)
{
    read_source(
        "kernel void k(global int *o, char a, unsigned char b, short c, ushort d, int e, unsigned int f, long g, "
        "unsigned long h, float i, float4 j, uchar16 l, const int m, int3 n) { o[0] = a + e; }",
        INFO);
    static const char *const types[] = {"char",  "uchar", "short",  "ushort",  "int", "uint", "long",
                                        "ulong", "float", "float4", "uchar16", "int", "int3"};
    for (unsigned i = 0; i < 13; i++)
        assert_value(i + 1, types[i]);
}
END_TEST

START_TEST(images_and_samplers_tell_their_access)
{
    SKIP_IF(!opened.at[0].images, "the device has no images")
    read_source(
        "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
        "kernel void k(read_only image2d_t a, write_only image2d_t b, image1d_t c, read_only image3d_t d, "
        "read_only image1d_array_t e, read_only image2d_array_t f, read_only image1d_buffer_t g, sampler_t h) { }",
        INFO);
    for (unsigned i = 0; i < 7; i++)
        assert_parameter(i, SELVI_PARAMETER_IMAGE, i == 1 ? SELV_WRITE : SELV_READ, false);
    assert_parameter(7, SELVI_PARAMETER_SAMPLER, SELV_NONE, false);
}
END_TEST

START_TEST(an_image_behind_a_typedef_is_an_image)
{
    SKIP_IF(!opened.at[0].images, "the device has no images")
    SKIP_IF(!build("typedef image2d_t picture; kernel void k(picture a, write_only image2d_t b) { }", INFO),
            "the driver allows no typedef of an image")
    read_kernel("k");
    assert_parameter(0, SELVI_PARAMETER_IMAGE, SELV_READ, false);
}
END_TEST

START_TEST(read_write_images_are_read_and_written)
{
    SKIP_IF(!build("kernel void k(read_write image2d_t a) { }", INFO " -cl-std=CL2.0") &&
                !build("kernel void k(read_write image2d_t a) { }", INFO " -cl-std=CL3.0"),
            "the driver has no read_write images")
    read_kernel("k");
    assert_parameter(0, SELVI_PARAMETER_IMAGE, SELV_READ_WRITE, false);
}
END_TEST

START_TEST(structures_are_values_of_no_known_type)
{
    read_source(
        "struct q { int a; }; typedef struct { int a; float b; } params; typedef enum { A } en; "
        "kernel void k(global int *o, struct q a, params b, en c, global struct q *d) { o[0] = a.a + b.a + c; }",
        INFO);
    for (unsigned i = 1; i < 4; i++)
        assert_value(i, "unknown type");
    ck_assert_str_eq(sig.parameters[1].type_name, "struct q");
    ck_assert_str_eq(sig.parameters[2].type_name, "params");
    assert_parameter(4, SELVI_PARAMETER_GLOBAL, SELV_READ_WRITE, true);
}
END_TEST

START_TEST(typedef_names_are_resolved_from_the_source_or_not_at_all)
{
    read_source("typedef float real; kernel void k(global real *x, real a) { x[0] = a; }", INFO);
    assert_value(1, "float");
    ck_assert_str_eq(sig.parameters[1].type_name, "real");
    read_source("#ifdef DOUBLE\ntypedef double real;\n#else\ntypedef float real;\n#endif\n"
                "kernel void k(global real *x, real a) { x[0] = a; }",
                INFO);
    assert_value(1, "unknown type");
    read_source("typedef REAL real; kernel void k(global real *x, real a) { x[0] = a; }", INFO " -DREAL=float");
    assert_value(1, "float");
    read_source("kernel void k(global real *x, real a) { x[0] = a; }", INFO " -Dreal=float");
    assert_value(1, "float");
}
END_TEST

static bool tells_nothing(void)
{
    return !sig.informed;
}

START_TEST(without_argument_information_only_the_count_is_known)
{
    read_source("typedef float real; kernel void k(global real *x, const global real *y, real a) { x[0] = a + y[0]; }",
                "");
    ck_assert_uint_eq(sig.count, 3);
    ck_assert_str_eq(sig.name, "k");
    SKIP_IF(!tells_nothing(), "the driver keeps argument information without being asked")
    for (unsigned i = 0; i < 3; i++) {
        assert_parameter(i, SELVI_PARAMETER_UNKNOWN, SELV_READ_WRITE, true);
        ck_assert_ptr_null(sig.parameters[i].type_name);
        ck_assert_ptr_null(sig.parameters[i].name);
        ck_assert_int_eq(sig.parameters[i].type.class_, SELVI_CLASS_UNKNOWN);
    }
    char text[128];
    selvi_parameter_text(&sig, 2, text, sizeof text);
    ck_assert_str_eq(text, "argument 2 of kernel k");
}
END_TEST

START_TEST(a_kernel_without_parameters_is_informed)
{
    read_source("kernel void k(void) { }", "");
    ck_assert_uint_eq(sig.count, 0);
    ck_assert(sig.informed);
    ck_assert_int_eq(selvi_signature_declare(&sig, ""), SELV_OK);
    ck_assert_int_eq(selvi_signature_declare(&sig, "int"), SELV_INVALID);
}
END_TEST

/* From source to a binary and back, as a program would that keeps its binaries. PoCL 3.1 asks for the option once more.
 */
static void reload_as_binary(void)
{
    size_t bytes = 0;
    cl_int st, loaded;
    ck_assert_int_eq(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL), CL_SUCCESS);
    unsigned char *binary = malloc(bytes);
    ck_assert_int_eq(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL), CL_SUCCESS);
    clReleaseProgram(program);
    const unsigned char *from = binary;
    program = clCreateProgramWithBinary(opened.context, 1, &opened.at[0].id, &bytes, &from, &loaded, &st);
    free(binary);
    ck_assert_int_eq(st, CL_SUCCESS);
    ck_assert_int_eq(clBuildProgram(program, 1, &opened.at[0].id, INFO, NULL, NULL), CL_SUCCESS);
}

START_TEST(a_program_made_from_a_binary_is_read_as_far_as_it_tells)
{
    static const char source[] =
        "typedef float real; kernel void k(const global real *x, real a, float b, global int *o) "
        "{ o[0] = a + x[0] + b; }";
    ck_assert(build(source, INFO));
    reload_as_binary();
    read_kernel("k");
    ck_assert_uint_eq(sig.count, 4);
    ck_assert(!sig.has_globals);
    SKIP_IF(!sig.informed, "the driver keeps no argument information in the binary")
    assert_parameter(0, SELVI_PARAMETER_GLOBAL, SELV_READ, false);
    assert_value(1, "unknown type");
    assert_value(2, "float");
}
END_TEST

START_TEST(program_scope_variables_are_noticed)
{
    static const char source[] = "global int n; kernel void k(global int *a) { a[0] = n++; }";
    read_source("constant int n = 1; kernel void k(global int *a) { a[0] = n; }", "");
    ck_assert(!sig.has_globals);
    SKIP_IF(!build(source, "-cl-std=CL2.0") && !build(source, "-cl-std=CL3.0"),
            "the driver has no program-scope variables")
    read_kernel("k");
    ck_assert(sig.has_globals);
}
END_TEST

START_TEST(null_is_no_kernel)
{
    ck_assert_int_eq(selvi_signature_read(NULL, opened.at[0].id, &sig), SELV_INVALID);
    ck_assert_ptr_nonnull(strstr(selv_error(), "NULL"));
    ck_assert_uint_eq(sig.count, 0);
}
END_TEST

START_TEST(a_parameters_text_names_it_in_full)
{
    char text[128], small[12];
    read_source("kernel void k(global float *x, local int *b, float a, constant int *c) { x[0] = a + c[0] + b[0]; }",
                INFO);
    selvi_parameter_text(&sig, 0, text, sizeof text);
    ck_assert_str_eq(text, "argument 0 (x, global float*) of kernel k");
    selvi_parameter_text(&sig, 1, text, sizeof text);
    ck_assert_str_eq(text, "argument 1 (b, local int*) of kernel k");
    selvi_parameter_text(&sig, 2, text, sizeof text);
    ck_assert_str_eq(text, "argument 2 (a, float) of kernel k");
    selvi_parameter_text(&sig, 9, text, sizeof text);
    ck_assert_str_eq(text, "argument 9 of kernel k");
    selvi_parameter_text(&sig, 0, small, sizeof small);
    ck_assert_str_eq(small, "argument 0 ");
}
END_TEST

/* declarations */

static void declare(const char *text)
{
    ck_assert_msg(selvi_signature_declare(&sig, text) == SELV_OK, "%s", selv_error());
}

static void refused(const char *text, const char *words)
{
    unsigned count = sig.count;
    selvi_parameter before[16];
    memcpy(before, sig.parameters, count * sizeof *before);
    ck_assert_msg(selvi_signature_declare(&sig, text) == SELV_INVALID, "\"%s\" is accepted", text);
    ck_assert_msg(strstr(selv_error(), words) != NULL, "\"%s\" is not in: %s", words, selv_error());
    ck_assert_msg(strstr(selv_error(), "kernel k") != NULL, "no kernel is named in: %s", selv_error());
    for (unsigned i = 0; i < count; i++) {
        const selvi_parameter *a = &before[i], *b = &sig.parameters[i];
        ck_assert(a->kind == b->kind && a->mode == b->mode && a->assumed == b->assumed && a->declared == b->declared &&
                  a->untracked == b->untracked && a->type.class_ == b->type.class_ && a->type.bytes == b->type.bytes);
    }
}

static void informed_kernel(void)
{
    read_source("typedef struct { int a; } params; typedef enum { A } en;"
                "kernel void k(global float *o, const global float *i, float f, uint u, constant int *c, local int *l, "
                "params p, en e) { o[0] = i[0] + f + u + c[0] + l[0] + p.a + e; }",
                INFO);
}

START_TEST(modes_are_declared_for_pointers)
{
    informed_kernel();
    declare("out float*, in float*, float, uint, in int*, local, -, -");
    assert_parameter(0, SELVI_PARAMETER_GLOBAL, SELV_WRITE, false);
    ck_assert(sig.parameters[0].declared);
    assert_parameter(1, SELVI_PARAMETER_GLOBAL, SELV_READ, false);
    ck_assert(sig.parameters[1].declared);
    assert_value(2, "float");
    ck_assert(!sig.parameters[2].declared);
    assert_parameter(4, SELVI_PARAMETER_CONSTANT, SELV_READ, false);
    assert_parameter(5, SELVI_PARAMETER_LOCAL, SELV_NONE, false);
}
END_TEST

START_TEST(empty_items_leave_things_as_found)
{
    informed_kernel();
    declare(" , - ,, \t,-,,,-");
    assert_parameter(0, SELVI_PARAMETER_GLOBAL, SELV_READ_WRITE, true);
    ck_assert(!sig.parameters[0].declared);
    assert_parameter(1, SELVI_PARAMETER_GLOBAL, SELV_READ, false);
}
END_TEST

START_TEST(every_mode_and_spelling_is_understood)
{
    informed_kernel();
    declare(
        "accum global float *restrict, inout const float*, float, unsigned int, constant int*, local int*, params, en");
    assert_parameter(0, SELVI_PARAMETER_GLOBAL, SELV_ACCUMULATE, false);
    assert_parameter(1, SELVI_PARAMETER_GLOBAL, SELV_READ_WRITE, false);
    declare("untracked, in, , , , , , ");
    ck_assert(sig.parameters[0].untracked && !sig.parameters[0].assumed);
    assert_parameter(1, SELVI_PARAMETER_GLOBAL, SELV_READ, false);
    declare("out,-,-,-,-,-,-,-");
    ck_assert(!sig.parameters[0].untracked);
    assert_parameter(0, SELVI_PARAMETER_GLOBAL, SELV_WRITE, false);
}
END_TEST

START_TEST(const_in_an_item_says_read)
{
    informed_kernel();
    declare("const float*,-,-,-,-,-,-,-");
    assert_parameter(0, SELVI_PARAMETER_GLOBAL, SELV_READ, false);
}
END_TEST

START_TEST(a_type_is_declared_where_a_typedef_hides_it)
{
    informed_kernel();
    declare("-,-,-,int,-,-,-,uint");
    assert_value(3, "int");
    assert_value(7, "uint");
}
END_TEST

START_TEST(contradictions_are_refused_with_the_item_and_the_parameter)
{
    informed_kernel();
    refused("-,-,out float,-,-,-,-,-", "item 2 of the signature, \"out float\"");
    refused("-,-,in,-,-,-,-,-", "argument 2 (f, float)");
    refused("-,-,double,-,-,-,-,-", "another size");
    refused("-,-,float4,-,-,-,-,-", "another size");
    refused("-,-,int,-,-,-,-,-", "floating-point");
    refused("-,-,float*,-,-,-,-,-", "it is a value, and the item says a global pointer");
    refused("float,-,-,-,-,-,-,-", "it is a global pointer, and the item says a value");
    refused("local,-,-,-,-,-,-,-", "local pointer");
    refused("-,-,-,-,out int*,-,-,-", "can only read it");
    refused("-,-,-,-,-,in,-,-", "global and constant pointers and images");
    refused("out,-,-,-,-,-,-,image2d_t", "an image");
}
END_TEST

START_TEST(a_wrong_number_of_items_is_refused)
{
    informed_kernel();
    refused("out float*, in float*", "has 2 items, and kernel k has 8 parameters");
    refused("-,-,-,-,-,-,-,-,-", "has 9 items");
    refused("", "has 0 items");
}
END_TEST

START_TEST(unknown_words_are_refused)
{
    informed_kernel();
    refused("outt float*,-,-,-,-,-,-,real", "\"real\" is not known here");
    refused("-,-,-,-,-,-,-,real", "\"real\" is not known here");
    refused("out float* x,-,-,-,-,-,-,-", "\"x\" is not known here");
    refused("out float&,-,-,-,-,-,-,-", "\"&\" is not known here");
    refused("- float,-,-,-,-,-,-,-", "\"float\" is not known here");
    refused("-,-,-,uint u,-,-,-,-", "\"uint u\" is not known here");
    refused("const,-,-,-,-,-,-,-", "\"const\" is not known here");
}
END_TEST

START_TEST(a_structure_takes_no_number)
{
    read_source("struct q { int a; }; kernel void k(struct q a) { }", INFO);
    refused("int", "structure");
    declare("struct q");
    declare("-");
}
END_TEST

START_TEST(null_is_no_signature)
{
    informed_kernel();
    ck_assert_int_eq(selvi_signature_declare(&sig, NULL), SELV_INVALID);
}
END_TEST

START_TEST(without_argument_information_everything_can_be_declared)
{
    read_source(
        "kernel void k(global float *o, const global float *i, float f, constant int *c, local int *l, sampler_t s, "
        "read_only image2d_t m, write_only image2d_t w, global int *x) { o[0] = i[0] + f + c[0] + l[0]; }",
        "");
    SKIP_IF(!tells_nothing(), "the driver keeps argument information without being asked")
    declare(
        "out float*, const float*, float, constant int*, local, sampler_t, in image2d_t, write_only image2d_t, int*");
    assert_parameter(0, SELVI_PARAMETER_GLOBAL, SELV_WRITE, false);
    assert_parameter(1, SELVI_PARAMETER_GLOBAL, SELV_READ, false);
    assert_value(2, "float");
    assert_parameter(3, SELVI_PARAMETER_CONSTANT, SELV_READ, false);
    assert_parameter(4, SELVI_PARAMETER_LOCAL, SELV_NONE, false);
    assert_parameter(5, SELVI_PARAMETER_SAMPLER, SELV_NONE, false);
    assert_parameter(6, SELVI_PARAMETER_IMAGE, SELV_READ, false);
    assert_parameter(7, SELVI_PARAMETER_IMAGE, SELV_WRITE, false);
    assert_parameter(8, SELVI_PARAMETER_GLOBAL, SELV_READ_WRITE, true);
    ck_assert(!sig.informed);
}
END_TEST

START_TEST(an_images_access_cannot_be_declared_away)
{
    SKIP_IF(!opened.at[0].images, "the device has no images")
    read_source("kernel void k(read_only image2d_t a, write_only image2d_t b) { }", INFO);
    refused("out, -", "can only read it");
    refused("-, in", "can only write it");
    declare("in image2d_t, out write_only image2d_t");
    ck_assert(sig.parameters[1].declared);
    assert_parameter(1, SELVI_PARAMETER_IMAGE, SELV_WRITE, false);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cl/signature");
    TCase *t = tcase_create("read");
    tcase_add_checked_fixture(t, open_device, clean);
    tcase_add_test(t, pointers_tell_their_space_and_what_const_allows);
    tcase_add_test(t, const_behind_a_typedef_is_const);
    tcase_add_test(t, values_tell_their_type);
    tcase_add_test(t, images_and_samplers_tell_their_access);
    tcase_add_test(t, an_image_behind_a_typedef_is_an_image);
    tcase_add_test(t, read_write_images_are_read_and_written);
    tcase_add_test(t, structures_are_values_of_no_known_type);
    tcase_add_test(t, typedef_names_are_resolved_from_the_source_or_not_at_all);
    tcase_add_test(t, without_argument_information_only_the_count_is_known);
    tcase_add_test(t, a_kernel_without_parameters_is_informed);
    tcase_add_test(t, a_program_made_from_a_binary_is_read_as_far_as_it_tells);
    tcase_add_test(t, program_scope_variables_are_noticed);
    tcase_add_test(t, null_is_no_kernel);
    tcase_add_test(t, a_parameters_text_names_it_in_full);
    suite_add_tcase(s, t);
    t = tcase_create("declared");
    tcase_add_checked_fixture(t, open_device, clean);
    tcase_add_test(t, modes_are_declared_for_pointers);
    tcase_add_test(t, empty_items_leave_things_as_found);
    tcase_add_test(t, every_mode_and_spelling_is_understood);
    tcase_add_test(t, const_in_an_item_says_read);
    tcase_add_test(t, a_type_is_declared_where_a_typedef_hides_it);
    tcase_add_test(t, contradictions_are_refused_with_the_item_and_the_parameter);
    tcase_add_test(t, a_wrong_number_of_items_is_refused);
    tcase_add_test(t, unknown_words_are_refused);
    tcase_add_test(t, a_structure_takes_no_number);
    tcase_add_test(t, null_is_no_signature);
    tcase_add_test(t, without_argument_information_everything_can_be_declared);
    tcase_add_test(t, an_images_access_cannot_be_declared_away);
    suite_add_tcase(s, t);
    return run_suite(s);
}
