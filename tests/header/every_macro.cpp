#include "every_macro.h"

enum plain { zero, one };

struct owner { // as C++ wrappers of OpenCL are
    cl_mem m;
    operator cl_mem() const
    {
        return m;
    }
};

#define ROW(name, number, meaning) static_assert(name == number && sizeof meaning > 1, "status table");
SELV_STATUS_TABLE(ROW)

static int expand_in_cpp(selv_scheduler *s, cl_kernel k, const volatile int *device, const cl_mem kept)
{
#define NUMBER(name, type_, kind, member, wide) , static_cast<type_>(1)
#define VECTOR(name) , name()
    int failed = negative(selv_launch(s, k, selv_1d(1) SELVI_NUMBERS(NUMBER)));
    failed += negative(selv_launch(s, k, selv_1d(1) SELVI_VECTORS(VECTOR)));
    failed += negative(selv_launch(s, k, selv_1d(1), kept, device, *device, "text", nullptr, one, L'w', owner{kept}));
    return failed + negative(selv_launch(s, k, selv_1d(1), selv_value(pair{1, 2}), selv_value(1.0f)));
}

int main()
{
    const int number = one;
    return expand_all() == 0 && expand_in_cpp(nullptr, nullptr, &number, nullptr);
}
