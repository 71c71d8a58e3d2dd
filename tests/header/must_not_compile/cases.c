/* One mistake for each CASE; none without CASE. After each case the words that the compiler's message must hold. */
#include <selvedge/selvedge.h>

#if defined(CASE) && CASE == 6 /* C compilers take a function for a void pointer, and only warn if they are pedantic */
#pragma GCC diagnostic error "-Wpedantic"
#endif

struct pair {
    int a, b;
};
enum { ROOM = 64 };

selv_task mistakes(selv_scheduler *s, cl_kernel k, cl_mem m, cl_event event, cl_program program, cl_context context,
                   cl_sampler sampler, struct pair pair, int *ints, struct pair *pairs);
void callback(void);

#define ONE selv_1d(1)
#define EIGHT 1, 2, 3, 4, 5, 6, 7, 8

selv_task mistakes(selv_scheduler *s, cl_kernel k, cl_mem m, cl_event event, cl_program program, cl_context context,
                   cl_sampler sampler, struct pair pair, int *ints, struct pair *pairs)
{
    selv_task task = selv_launch(s, k, ONE, m, ints, pairs, sampler, 1, selv_value(pair));
    long double wide = 1;
    float number = 0;
    char room[ROOM] = {0};
    cl_device_id device = selv_device(s, 0);
    cl_mem many[2] = {m, m};
    (void)event, (void)program, (void)context, (void)wide, (void)room, (void)many, (void)number, (void)device;
#if CASE == 1 /* a_struct_needs_selv_value */
    selv_launch(s, k, ONE, pair);
#elif CASE == 2 /* this object cannot be an argument */
    selv_launch(s, k, ONE, event);
#elif CASE == 3 /* this object cannot be an argument */
    selv_launch(s, k, ONE, k);
#elif CASE == 4 /* this object cannot be an argument */
    selv_launch(s, k, ONE, program);
#elif CASE == 5 /* this object cannot be an argument */
    selv_launch(s, k, ONE, context);
#elif CASE == 6 /* ISO C forbids\|function pointer */
    selv_launch(s, k, ONE, callback);
#elif CASE == 7 /* pass the cl_mem itself */
    selv_launch(s, k, ONE, &m);
#elif CASE == 8 /* pass the cl_mem itself */
    selv_launch(s, k, ONE, many);
#elif CASE == 9 /* memory named by a handle or pointer would go untracked */
    selv_launch(s, k, ONE, selv_value(m));
#elif CASE == 10 /* memory named by a handle or pointer would go untracked */
    selv_launch(s, k, ONE, selv_value(sampler));
#elif CASE == 11 /* memory named by a handle or pointer would go untracked */
    selv_launch(s, k, ONE, selv_value(pairs));
#elif CASE == 12 /* OpenCL has no number of this type */
    selv_launch(s, k, ONE, wide);
#elif CASE == 13 /* more_than_64_arguments */
    selv_launch(s, k, ONE, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, 65);
#elif CASE == 14 /* a number stands where memory is meant */
    selv_wait(s, task);
#elif CASE == 15 /* a number stands where memory is meant */
    selv_copy(s, m, 0, 4);
#elif CASE == 16 /* a number stands where memory is meant */
    selv_launch(s, k, ONE, selv_in(3));
#elif CASE == 17 /* a number stands where memory is meant */
    selv_adopt(s, event, m, 1);
#elif CASE == 18 /* a number stands where memory is meant */
    selv_export(s, &event, 2.0f);
#elif CASE == 19 /* the.last.argument.must.be.the.address.of.a.pointer */
    selv_svm(s, ROOM, ints);
#elif CASE == 20 /* the.last.argument.must.be.the.address.of.a.pointer */
    selv_svm(s, ROOM, pairs);
#elif CASE == 21 /* the.last.argument.must.be.the.address.of.a.pointer */
    selv_map(s, m, SELV_READ, &number);
#elif CASE == 22 /* this object cannot be an argument */
    selv_wait(s, sampler);
#elif CASE == 23 /* this object cannot be an argument */
    selv_launch(s, k, ONE, s);
#elif CASE == 24 /* a_struct_needs_selv_value */
    selv_launch(s, k, ONE, ONE);
#elif CASE == 25 /* a_struct_needs_selv_value */
    selv_part(pair, 0, 4);
#elif CASE == 26 /* the.last.argument.must.be.the.address.of.a.pointer */
    selv_svm(s, ROOM, room);
#elif CASE == 27 /* memory named by a handle or pointer would go untracked */
    selv_launch(s, k, ONE, selv_value(event));
#elif CASE == 28 /* this object cannot be an argument */
    selv_launch(s, k, ONE, device);
#endif
    return task;
}
