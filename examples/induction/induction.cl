/* The linear induction equation, dB/dt = curl(u x B), on n x n points of a periodic square of side 2, row by row.
   `real` is double or float: the build options say which. Whatever a kernel only reads is `const`. */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

/* At most two steps beyond the border, so that one wrap is enough; a remainder would cost more than the stencil. */
static int wrap(int i, int n)
{
    return i < 0 ? i + n : i < n ? i : i - n;
}

static size_t at(int x, int y)
{
    int n = get_global_size(0);
    return (size_t)wrap(y, n) * n + wrap(x, n);
}

static size_t here(void)
{
    return get_global_id(1) * get_global_size(0) + get_global_id(0);
}

/* Central differences of fourth order, along x (dx = 1, dy = 0) or along y. */
static real slope(global const real *f, int dx, int dy)
{
    int x = get_global_id(0), y = get_global_id(1);
    real near = f[at(x + dx, y + dy)] - f[at(x - dx, y - dy)];
    real far = f[at(x + 2 * dx, y + 2 * dy)] - f[at(x - 2 * dx, y - 2 * dy)];
    return (8 * near - far) * (real)get_global_size(0) / 24;
}

/* (u x B)_z: the electric field, but for its sign. */
kernel void emf(global real *e, global const real *bx, global const real *by, global const real *ux,
                global const real *uy)
{
    e[here()] = ux[here()] * by[here()] - uy[here()] * bx[here()];
}

kernel void rate_x(global real *rate, global const real *e)
{
    rate[here()] = slope(e, 0, 1);
}

kernel void rate_y(global real *rate, global const real *e)
{
    rate[here()] = -slope(e, 1, 0);
}

/* One stage of SSPRK33 (Shu & Osher 1988): `result` may be `begin` or `b`. */
kernel void update(global real *result, global const real *begin, global const real *b, global const real *rate,
                   real keep, real dt)
{
    result[here()] = keep * begin[here()] + (1 - keep) * (b[here()] + dt * rate[here()]);
}

kernel void divergence(global real *result, global const real *bx, global const real *by)
{
    result[here()] = slope(bx, 1, 0) + slope(by, 0, 1);
}

/* One Jacobi sweep for Laplace(phi) = source. */
kernel void sweep(global real *result, global const real *phi, global const real *source)
{
    int x = get_global_id(0), y = get_global_id(1);
    real side = (real)2 / get_global_size(0);
    real around = phi[at(x - 1, y)] + phi[at(x + 1, y)] + phi[at(x, y - 1)] + phi[at(x, y + 1)];
    result[here()] = (around - side * side * source[here()]) / 4;
}

/* B -= grad(phi): the projection of Brackbill & Barnes (1980). */
kernel void project_x(global real *bx, global const real *phi)
{
    bx[here()] -= slope(phi, 1, 0);
}

kernel void project_y(global real *by, global const real *phi)
{
    by[here()] -= slope(phi, 0, 1);
}

/* Half the sum of the squares of two fields, one partial sum for each work-group, always in the same order. The group
   size is a power of two. */
kernel void squares(global real *partial, global const real *a, global const real *b, local real *sums, int cells)
{
    size_t i = get_local_id(0);
    real sum = 0;
    for (int c = get_global_id(0); c < cells; c += get_global_size(0))
        sum += a[c] * a[c] + b[c] * b[c];
    sums[i] = sum / 2;
    for (size_t half_way = get_local_size(0) / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < half_way)
            sums[i] += sums[i + half_way];
    }
    if (i == 0)
        partial[get_group_id(0)] = sums[0];
}

/* One work-item, so that the order is one as well. */
kernel void total(global real *history, global const real *partial, int parts, int slot)
{
    real sum = 0;
    for (int i = 0; i < parts; i++)
        sum += partial[i];
    history[slot] = sum;
}
