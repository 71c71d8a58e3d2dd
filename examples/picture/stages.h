/* How strong each stage is: the numbers, and nothing else, that the program and its plain C reference share. */
#ifndef PICTURE_STAGES_H
#define PICTURE_STAGES_H

/* Blurs: how many pixels to each side, and the width of the bell curve that weighs them. */
#define SMALL_RADIUS 2 /* for what is a little out of focus */
#define SMALL_SIGMA 1.0f
#define LARGE_RADIUS 10 /* for the surroundings, and to see where the subject stands */
#define LARGE_SIGMA 5.0f
#define SHARPEN_RADIUS 4 /* the size of the details that are sharpened */
#define SHARPEN_SIGMA 1.6f

/* Edges: the part of a full mask that each grey level of steepness is worth. */
#define FINE_GAIN (1.0f / 40.0f)
#define ROUGH_GAIN (1.0f / 1024.0f) /* never full: extended afterwards */
#define EXTEND_STRENGTH 12.0f

#define SHARPEN_AMOUNT 2.0f
#define GROUP 256 /* work-items that search for the highest and the lowest value */

#endif
