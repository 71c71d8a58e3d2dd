/* Shared virtual memory: a linked list whose nodes hold pointers, walked by a kernel, changed by the host in between.

       nodes    [.next .value] -> [.next .value] -> [.next .value]        one block
                        |                 |                 |
       values           1.0               2.0               3.0           another one

   The kernel is given the first node. The scheduler sees the block that this pointer leads into; that the kernel goes
   on to another block, by pointers in memory, nobody can see from outside: selv_also says it. */
#include <selvedge/selvedge.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 100 };

typedef struct node {
    struct node *next;
    float *value;
} node;

static const char source[] = "typedef struct node { global struct node *next; global float *value; } node;"
                             "kernel void scale(global const node *first, float by)"
                             "{ for (global const node *n = first; n; n = n->next) *n->value *= by; }"
                             "kernel void total(global float *sum, global const node *first)"
                             "{ *sum = 0; for (global const node *n = first; n; n = n->next) *sum += *n->value; }";

static void check(selv_task status)
{
    if (status == SELV_UNSUPPORTED)
        printf("skipped: %s\n", selv_error()), exit(77);
    if (status < 0)
        puts(selv_error()), exit(1);
}

static void link_all(node *nodes, float *values)
{
    for (int i = 0; i < N; i++) {
        values[i] = (float)(i + 1);
        nodes[i] = (node){i + 1 < N ? &nodes[i + 1] : NULL, &values[i]};
    }
}

static void drop_every_second(node *first)
{
    for (node *n = first; n && n->next; n = n->next)
        n->next = n->next->next;
}

int main(void)
{
    selv_scheduler *s = NULL;
    cl_program program = NULL;
    cl_kernel scale = NULL, total = NULL;
    node *nodes = NULL;
    float *values = NULL, *sum = NULL;

    check(selv_open(NULL, &s));
    check(selv_build(s, source, NULL, &program));
    check(selv_kernel(s, program, "scale", &scale));
    check(selv_kernel(s, program, "total", &total));
    check(selv_svm(s, N * sizeof *nodes, &nodes));
    check(selv_svm(s, N * sizeof *values, &values));
    check(selv_svm(s, sizeof *sum, &sum));
    selv_name(s, nodes, "nodes"), selv_name(s, values, "values"), selv_name(s, sum, "sum");

    /* Fresh memory belongs to the host, until the first task that names it. */
    link_all(nodes, values);
    check(selv_launch(s, scale, selv_1d(1), nodes, 2.0f, selv_also(selv_inout(values))));
    check(selv_launch(s, total, selv_1d(1), selv_out(sum), nodes, selv_also(selv_in(values))));
    check(selv_wait(s, sum)); /* from here on the host may read it, until the next task that writes it */
    float all = *sum;

    /* The host gets the nodes for writing, and holds them until the next task that names them. */
    check(selv_edit(s, nodes));
    drop_every_second(nodes);
    check(selv_launch(s, total, selv_1d(1), selv_out(sum), nodes, selv_also(selv_in(values))));
    check(selv_wait(s, sum));
    float odd = *sum;

    /* A pointer into the middle of a block is an argument like any other: here, the tail of the list. */
    check(selv_launch(s, total, selv_1d(1), selv_out(sum), &nodes[N - 4], selv_also(selv_in(values))));
    check(selv_wait(s, sum));
    float last = *sum;

    bool right = all == 2 * 5050 && odd == 2 * 2500 && last == 2 * (97 + 99);
    printf("all %g, every second %g, the last of these %g: %s\n", (double)all, (double)odd, (double)last,
           right ? "as expected" : "WRONG");

    /* Freed while they may be in use: they live until the last task that names them is done. */
    selv_svm_free(s, nodes), selv_svm_free(s, values), selv_svm_free(s, sum);
    clReleaseKernel(scale), clReleaseKernel(total), clReleaseProgram(program);
    check(selv_close(s));
    return right ? 0 : 1;
}
