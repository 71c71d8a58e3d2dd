#include "every_macro.h"

#define ROW(name, number, meaning) {number, meaning},
static const struct {
    int number;
    const char *meaning;
} statuses[] = {SELV_STATUS_TABLE(ROW)};

/* What only C has to choose by _Generic: qualifiers, compound literals, and every row of the two tables. */
static int expand_in_c(selv_scheduler *s, cl_kernel k, const volatile int *device, const cl_mem kept)
{
#define NUMBER(name, type_, kind, member, wide) , (type_)1
/* clang-format off */
#define VECTOR(name) , (name){{0}}
    /* clang-format on */
    int failed = negative(selv_launch(s, k, selv_1d(1) SELVI_NUMBERS(NUMBER)));
    failed += negative(selv_launch(s, k, selv_1d(1) SELVI_VECTORS(VECTOR)));
    failed += negative(selv_launch(s, k, selv_1d(1), kept, device, *device, "text", selv_value((struct pair){1, 2})));
    return failed + (statuses[0].number != SELV_INTERNAL);
}

int main(void)
{
    const int one = 1;
    return expand_all() == 0 && expand_in_c(NULL, NULL, &one, NULL);
}
