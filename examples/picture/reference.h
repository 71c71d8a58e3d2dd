/* The same picture in plain C, one loop after the other: what the kernels have to come out at. */
#ifndef PICTURE_REFERENCE_H
#define PICTURE_REFERENCE_H

#include "image.h"

#include <stdbool.h>

/* out has the size of the photo. False if there is not enough memory. */
bool reference_picture(const image *photo, image *out);

#endif
