#include <selvedge/selvedge.h>
#include <stdio.h>

int main(void)
{
    selv_scheduler *s = NULL;
    cl_program program = NULL;
    cl_kernel put = NULL;
    cl_mem box = NULL;
    int found = 0;
    selv_open(NULL, &s);
    selv_build(s, "kernel void put(global int *box, int number) { *box = number; }", NULL, &program);
    selv_kernel(s, program, "put", &put);
    selv_buffer(s, sizeof found, NULL, &box);
    selv_launch(s, put, selv_1d(1), box, 42);
    if (selv_read(s, &found, box, sizeof found) || selv_close(s))
        return puts(selv_error()), 1;
    printf("%d\n", found);
    return clReleaseKernel(put) || clReleaseProgram(program);
}
