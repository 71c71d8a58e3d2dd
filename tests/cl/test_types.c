#include "cl/types.h"

#include "opened.h"

static selvi_type t;

START_TEST(built_in_types_are_found_by_each_of_their_names)
{
    static const struct {
        const char *name;
        selvi_class class_;
        unsigned bytes, width;
    } rows[] = {
        {"char", SELVI_CLASS_SIGNED, 1, 1},
        {"signed char", SELVI_CLASS_SIGNED, 1, 1},
        {"uchar", SELVI_CLASS_UNSIGNED, 1, 1},
        {"unsigned char", SELVI_CLASS_UNSIGNED, 1, 1},
        {"short", SELVI_CLASS_SIGNED, 2, 1},
        {"short int", SELVI_CLASS_SIGNED, 2, 1},
        {"unsigned short", SELVI_CLASS_UNSIGNED, 2, 1},
        {"int", SELVI_CLASS_SIGNED, 4, 1},
        {"signed", SELVI_CLASS_SIGNED, 4, 1},
        {"unsigned", SELVI_CLASS_UNSIGNED, 4, 1},
        {"unsigned int", SELVI_CLASS_UNSIGNED, 4, 1},
        {"int unsigned", SELVI_CLASS_UNSIGNED, 4, 1},
        {"uint", SELVI_CLASS_UNSIGNED, 4, 1},
        {"long", SELVI_CLASS_SIGNED, 8, 1},
        {"unsigned long int", SELVI_CLASS_UNSIGNED, 8, 1},
        {"ulong", SELVI_CLASS_UNSIGNED, 8, 1},
        {"float", SELVI_CLASS_REAL, 4, 1},
        {"double", SELVI_CLASS_REAL, 8, 1},
        {"half", SELVI_CLASS_HALF, 2, 1},
        {"bool", SELVI_CLASS_BOOL, 1, 1},
        {"size_t", SELVI_CLASS_UNSIGNED, 8, 1},
        {"uintptr_t", SELVI_CLASS_UNSIGNED, 8, 1},
        {"ptrdiff_t", SELVI_CLASS_SIGNED, 8, 1},
        {"intptr_t", SELVI_CLASS_SIGNED, 8, 1},
        {"float4", SELVI_CLASS_REAL, 4, 4},
        {"uchar16", SELVI_CLASS_UNSIGNED, 1, 16},
        {"half8", SELVI_CLASS_HALF, 2, 8},
        {"long2", SELVI_CLASS_SIGNED, 8, 2},
        {"double3", SELVI_CLASS_REAL, 8, 3},
        {"  const  float ", SELVI_CLASS_REAL, 4, 1},
        {"volatile unsigned const int", SELVI_CLASS_UNSIGNED, 4, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_msg(selvi_type_find(rows[i].name, &t), "%s is not found", rows[i].name);
        ck_assert_msg(t.class_ == rows[i].class_ && t.bytes == rows[i].bytes && t.width == rows[i].width,
                      "%s is found as class %d, %u bytes, width %u", rows[i].name, t.class_, t.bytes, t.width);
    }
}
END_TEST

START_TEST(what_is_no_built_in_value_type_is_not_found)
{
    static const char *const names[] = {"",
                                        "real",
                                        "struct p",
                                        "float*",
                                        "float *",
                                        "float5",
                                        "float32",
                                        "float1",
                                        "float02",
                                        "size_t4",
                                        "bool2",
                                        "4",
                                        "long long",
                                        "longer",
                                        "floatfloat",
                                        "float int",
                                        "short long",
                                        "const",
                                        "image2d_t",
                                        "sampler_t",
                                        "float4[2]",
                                        "enum e",
                                        "signed unsigned",
                                        "char int",
                                        "unsigned float",
                                        "int int",
                                        "uint unsigned"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ck_assert_msg(!selvi_type_find(names[i], &t), "\"%s\" is found", names[i]);
}
END_TEST

START_TEST(a_vector_of_three_takes_the_room_of_four)
{
    ck_assert_uint_eq(selvi_type_bytes((selvi_type){SELVI_CLASS_REAL, 4, 3}), 16);
    ck_assert_uint_eq(selvi_type_bytes((selvi_type){SELVI_CLASS_REAL, 4, 2}), 8);
    ck_assert_uint_eq(selvi_type_bytes((selvi_type){SELVI_CLASS_SIGNED, 8, 16}), 128);
    ck_assert_uint_eq(selvi_type_bytes((selvi_type){SELVI_CLASS_HALF, 2, 1}), 2);
}
END_TEST

START_TEST(a_name_goes_to_a_type_and_back)
{
    static const char *const names[] = {"char", "uchar", "short",  "ushort", "int",    "uint",   "long", "ulong",
                                        "half", "float", "double", "bool",   "float3", "half16", "uint2"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[24];
        ck_assert(selvi_type_find(names[i], &t));
        selvi_type_name(t, text, sizeof text);
        ck_assert_str_eq(text, names[i]);
    }
    char small[4];
    selvi_type_name((selvi_type){SELVI_CLASS_REAL, 8, 16}, small, sizeof small);
    ck_assert_str_eq(small, "dou");
    selvi_type_name((selvi_type){0}, small, sizeof small);
    ck_assert_str_eq(small, "unk");
}
END_TEST

static void assert_arg_type(int kind, int type, selvi_class class_, unsigned bytes, unsigned width)
{
    selv_arg a = {.kind = (unsigned char)kind, .type = (unsigned char)type};
    ck_assert(selvi_type_of_arg(&a, &t));
    ck_assert_int_eq(t.class_, class_);
    ck_assert_uint_eq(t.bytes, bytes);
    ck_assert_uint_eq(t.width, width);
}

START_TEST(the_host_type_of_an_argument_is_told)
{
    assert_arg_type(SELVI_VECTOR, SELVI_T_cl_float4, SELVI_CLASS_REAL, 4, 4);
    assert_arg_type(SELVI_VECTOR, SELVI_T_cl_char2, SELVI_CLASS_SIGNED, 1, 2);
    assert_arg_type(SELVI_VECTOR, SELVI_T_cl_ulong16, SELVI_CLASS_UNSIGNED, 8, 16);
    assert_arg_type(SELVI_VECTOR, SELVI_T_cl_half8, SELVI_CLASS_HALF, 2, 8);
    assert_arg_type(SELVI_VECTOR, SELVI_T_cl_double16, SELVI_CLASS_REAL, 8, 16);
    assert_arg_type(SELVI_SIGNED, SELVI_T_int, SELVI_CLASS_SIGNED, 4, 1);
    assert_arg_type(SELVI_UNSIGNED, SELVI_T_ullong, SELVI_CLASS_UNSIGNED, 8, 1);
    assert_arg_type(SELVI_UNSIGNED, SELVI_T_char, SELVI_CLASS_UNSIGNED, 1, 1);
    assert_arg_type(SELVI_UNSIGNED, SELVI_T_bool, SELVI_CLASS_BOOL, 1, 1);
    assert_arg_type(SELVI_REAL, SELVI_T_float, SELVI_CLASS_REAL, 4, 1);
}
END_TEST

START_TEST(what_is_no_number_and_no_vector_has_no_host_type)
{
    static const int kinds[] = {SELVI_MEM, SELVI_SAMPLER, SELVI_POINTER, SELVI_BYTES, SELVI_LOCAL};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        selv_arg a = {.kind = (unsigned char)kinds[i], .type = SELVI_T_int};
        ck_assert(!selvi_type_of_arg(&a, &t));
    }
    selv_arg none = {.kind = SELVI_VECTOR, .type = SELVI_T_none}, beyond = {.kind = SELVI_VECTOR, .type = 255};
    ck_assert(!selvi_type_of_arg(&none, &t));
    ck_assert(!selvi_type_of_arg(&beyond, &t));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cl/types");
    TCase *c = tcase_create("types");
    tcase_add_test(c, built_in_types_are_found_by_each_of_their_names);
    tcase_add_test(c, what_is_no_built_in_value_type_is_not_found);
    tcase_add_test(c, a_vector_of_three_takes_the_room_of_four);
    tcase_add_test(c, a_name_goes_to_a_type_and_back);
    tcase_add_test(c, the_host_type_of_an_argument_is_told);
    tcase_add_test(c, what_is_no_number_and_no_vector_has_no_host_type);
    suite_add_tcase(s, c);
    return run_suite(s);
}
