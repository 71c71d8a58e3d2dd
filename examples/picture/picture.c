/* A photograph, sharper where its subject stands and softer elsewhere: eleven kernels, in the order in which one thinks
   of them. Which may run side by side, and which has to wait for which, follows from their arguments alone. */
#include "command.h"
#include "image.h"
#include "picture_kernels.h"
#include "reference.h"
#include "stages.h"

#include <selvedge/graph.h>
#include <selvedge/selvedge.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct job {
    selv_scheduler *s;
    cl_program program;
    cl_kernel kernels[8];
    cl_mem buffers[12];
    size_t kernel_count, buffer_count;
} job;

static void check(const char *what, selv_status status)
{
    must(what, status < 0 ? selv_error() : NULL);
}

static cl_kernel kernel(job *j, const char *name)
{
    cl_kernel *made = &j->kernels[j->kernel_count++];
    check(name, selv_kernel(j->s, j->program, name, made));
    return *made;
}

static cl_mem buffer(job *j, const char *name, size_t floats)
{
    cl_mem *made = &j->buffers[j->buffer_count++];
    check(name, selv_buffer(j->s, floats * sizeof(float), NULL, made));
    check(name, selv_name(j->s, *made, name));
    return *made;
}

/* Launches are not checked one by one: the scheduler keeps the first refusal, and finish() asks for it. */
static void sharpen(job *j, int width, int height, float *pixels)
{
    size_t n = (size_t)width * (size_t)height, bytes = 3 * n * sizeof *pixels;
    cl_kernel blur = kernel(j, "blur"), sobel = kernel(j, "sobel"), unsharpen = kernel(j, "unsharpen");
    cl_kernel maximum = kernel(j, "maximum"), minimum = kernel(j, "minimum"), extend = kernel(j, "extend");
    cl_kernel combine = kernel(j, "combine");
    cl_mem photo = buffer(j, "photo", 3 * n), small = buffer(j, "small", 3 * n), large = buffer(j, "large", 3 * n);
    cl_mem blurred = buffer(j, "blurred", 3 * n), sharp = buffer(j, "sharp", 3 * n), near = buffer(j, "near", 3 * n);
    cl_mem fine = buffer(j, "fine edges", n), rough = buffer(j, "rough edges", n), result = buffer(j, "result", 3 * n);
    cl_mem lowest = buffer(j, "lowest", 1), highest = buffer(j, "highest", 1);
    selv_range all = selv_2d((size_t)width, (size_t)height), group = selv_group(selv_1d(GROUP), GROUP, 1, 1);

    selv_write(j->s, photo, pixels, bytes);
    selv_launch(j->s, blur, all, small, photo, SMALL_RADIUS, SMALL_SIGMA);
    selv_launch(j->s, blur, all, large, photo, LARGE_RADIUS, LARGE_SIGMA);
    selv_launch(j->s, blur, all, blurred, photo, SHARPEN_RADIUS, SHARPEN_SIGMA);
    selv_launch(j->s, sobel, all, fine, small, FINE_GAIN);
    selv_launch(j->s, sobel, all, rough, large, ROUGH_GAIN);
    selv_launch(j->s, maximum, group, highest, rough, selv_local(GROUP * sizeof(float)), width * height);
    selv_launch(j->s, minimum, group, lowest, rough, selv_local(GROUP * sizeof(float)), width * height);
    selv_launch(j->s, extend, all, rough, lowest, highest, EXTEND_STRENGTH);
    selv_launch(j->s, unsharpen, all, sharp, photo, blurred, SHARPEN_AMOUNT);
    selv_launch(j->s, combine, all, near, sharp, small, fine);
    selv_launch(j->s, combine, all, result, near, large, rough);
    selv_read(j->s, pixels, result, bytes);
}

static void finish(job *j, const command *c)
{
    selv_statistics count;
    size_t edges;
    check("the tasks", selv_finish(j->s));
    check("the counts", selv_stats(j->s, &count));
    check("the edges", selv_edges(j->s, NULL, 0, &edges));
    printf("graph    %llu tasks, %zu edges, kept in order by %llu waits\n", (unsigned long long)count.tasks, edges,
           (unsigned long long)count.waits);
    check(c->folder, selv_graph_save(j->s, command_output(c, "picture.dot")));
    check(c->folder, selv_graph_save(j->s, command_output(c, "picture.txt")));
    while (j->kernel_count)
        clReleaseKernel(j->kernels[--j->kernel_count]);
    while (j->buffer_count)
        selv_release(j->s, j->buffers[--j->buffer_count]);
    clReleaseProgram(j->program);
    check("closing", selv_close(j->s));
}

int main(int argc, char **argv)
{
    command c = command_read(argc, argv);
    job j = {0};
    image photo;
    must(c.photo, image_load(c.photo, &photo));
    image result = image_empty(photo.width, photo.height), plain = image_empty(photo.width, photo.height);
    float *pixels = malloc(image_values(&photo) * sizeof *pixels);
    must(c.photo, result.rgb && plain.rgb && pixels ? NULL : "there is not enough memory for this picture");

    char device[256] = "unknown";
    check("opening", selv_open(&(selv_config){.flags = SELV_RECORD}, &j.s));
    check("picture.cl", selv_build(j.s, picture_kernels, NULL, &j.program));
    clGetDeviceInfo(selv_device(j.s, 0), CL_DEVICE_NAME, sizeof device, device, NULL);
    printf("device   %s\nphoto    %s, %d x %d pixels\n", device, c.photo, photo.width, photo.height);

    image_to_floats(&photo, pixels);
    sharpen(&j, photo.width, photo.height, pixels);
    finish(&j, &c);
    image_from_floats(pixels, &result);
    must(c.folder, image_save_png(command_output(&c, "picture.png"), &result));
    printf("wrote    picture.png, picture.dot and picture.txt in %s\n", c.folder);

    must(c.photo, reference_picture(&photo, &plain) ? NULL : "there is not enough memory for the reference");
    int difference = image_difference(&result, &plain);
    printf("result   %s that of plain C: the largest difference is %d of 255 grey levels\n",
           difference <= 1 ? "equals" : "IS NOT", difference);
    image_free(&photo), image_free(&result), image_free(&plain), free(pixels);
    return difference <= 1 ? 0 : 1;
}
