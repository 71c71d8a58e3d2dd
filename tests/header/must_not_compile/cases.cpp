// One mistake for each CASE; none without CASE. After each case the words that the compiler's message must hold.
#include <selvedge/selvedge.h>
#include <string>

struct pair {
    int a, b;
};
enum class scoped { one = 1 };

void callback();
selv_task mistakes(selv_scheduler *s, cl_kernel k, cl_mem m, cl_event event, cl_program program, cl_context context,
                   cl_sampler sampler, pair two, int *ints, pair *pairs);

#define ONE selv_1d(1)
#define EIGHT 1, 2, 3, 4, 5, 6, 7, 8

selv_task mistakes(selv_scheduler *s, cl_kernel k, cl_mem m, cl_event event, cl_program program, cl_context context,
                   cl_sampler sampler, pair two, int *ints, pair *pairs)
{
    selv_task task = selv_launch(s, k, ONE, m, ints, pairs, sampler, 1, selv_value(two));
    cl_mem many[2] = {m, m};
    float number = 0;
    cl_device_id device = selv_device(s, 0);
    (void)event, (void)program, (void)context, (void)many, (void)number, (void)device;
#if CASE == 1 /* a struct needs selv_value */
    selv_launch(s, k, ONE, two);
#elif CASE == 2 /* this object cannot be an argument */
    selv_launch(s, k, ONE, event);
#elif CASE == 3 /* this object cannot be an argument */
    selv_launch(s, k, ONE, k);
#elif CASE == 4 /* this object cannot be an argument */
    selv_launch(s, k, ONE, program);
#elif CASE == 5 /* this object cannot be an argument */
    selv_launch(s, k, ONE, context);
#elif CASE == 6 /* a function cannot be an argument */
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
    selv_launch(s, k, ONE, 1.0L);
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
#elif CASE == 19 /* no matching function for call to .selv_svm */
    selv_svm(s, 64, ints);
#elif CASE == 20 /* no matching function for call to .selv_svm */
    selv_svm(s, 64, pairs);
#elif CASE == 21 /* no matching function for call to .selv_map */
    selv_map(s, m, SELV_READ, &number);
#elif CASE == 22 /* this object cannot be an argument */
    selv_wait(s, sampler);
#elif CASE == 23 /* this object cannot be an argument */
    selv_launch(s, k, ONE, s);
#elif CASE == 24 /* a scoped enum is no number */
    selv_launch(s, k, ONE, scoped::one);
#elif CASE == 25 /* a struct needs selv_value */
    selv_part(two, 0, 4);
#elif CASE == 26 /* this type cannot be copied so */
    selv_launch(s, k, ONE, selv_value(std::string("text")));
#elif CASE == 27 /* a struct needs selv_value */
    selv_launch(s, k, ONE, std::string("text"));
#elif CASE == 28 /* memory named by a handle or pointer would go untracked */
    selv_launch(s, k, ONE, selv_value(nullptr));
#elif CASE == 29 /* this object cannot be an argument */
    selv_launch(s, k, ONE, device);
#elif CASE == 30 /* memory named by a handle or pointer would go untracked */
    selv_launch(s, k, ONE, selv_value(selv_in(m)));
#endif
    return task;
}
