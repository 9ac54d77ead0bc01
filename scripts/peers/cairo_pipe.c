// Draws the three balls with Cairo and pipes the frames into the ffmpeg command. Usage:
// cairo_pipe WIDTH HEIGHT FRAMES CYCLE OUTPUT, where CYCLE is the number of frames per period, for
// example 432/5 or 86.

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double colors[3][3] = {{1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
// The step in which each ball is at time 0.
static const int first_steps[3] = {1, 5, 3};
// A ball's six steps: its position at the start and its movement, in multiples of the offset.
static const int steps[6][2] = {{0, -1}, {-1, +1}, {0, +1}, {+1, -1}, {0, 0}, {0, 0}};
// The balls from back to front in each pair of phases.
static const int depths[3][3] = {{1, 0, 2}, {2, 1, 0}, {0, 2, 1}};

static void draw(cairo_t *cr, int width, int height, int phase, double fraction) {
    double scale = fmin(width / 120.0, height / 60.0);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    for (int i = 0; i < 3; i++) {
        int ball = depths[phase / 2][i];
        const int *step = steps[(first_steps[ball] + phase) % 6];
        double x = width / 2.0 + 30 * scale * (step[0] + step[1] * fraction);
        cairo_arc(cr, x, height / 2.0, 6.5 * scale, 0, 2 * M_PI);
        cairo_set_source_rgba(cr, colors[ball][0], colors[ball][1], colors[ball][2], 0.8);
        cairo_fill(cr);
    }
}

static FILE *open_encoder(int width, int height, const char *output) {
    char command[4096];
    snprintf(command, sizeof command,
             "ffmpeg -loglevel error -y -f rawvideo -pix_fmt bgr0 -s %dx%d -r 60 -i -"
             " -vf scale=out_color_matrix=bt709:out_range=tv -pix_fmt yuv420p"
             " -c:v libx264 -preset medium -crf 18 -g 120"
             " -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv '%s'",
             width, height, output);
    return popen(command, "w");
}

int main(int argc, char **argv) {
    int cycle_frames, cycles = 1;
    if (argc != 6 || sscanf(argv[4], "%d/%d", &cycle_frames, &cycles) < 1) {
        fprintf(stderr, "usage: cairo_pipe WIDTH HEIGHT FRAMES CYCLE OUTPUT\n");
        return 64;
    }
    int width = atoi(argv[1]), height = atoi(argv[2]), frames = atoi(argv[3]);
    FILE *encoder = open_encoder(width, height, argv[5]);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_t *cr = cairo_create(surface);
    size_t size = (size_t)cairo_image_surface_get_stride(surface) * height;
    for (int frame = 0; frame < frames; frame++) {
        int position = 6 * cycles * frame;
        draw(cr, width, height, position / cycle_frames % 6, (double)(position % cycle_frames) / cycle_frames);
        cairo_surface_flush(surface);
        if (fwrite(cairo_image_surface_get_data(surface), 1, size, encoder) != size) return 74;
    }
    return pclose(encoder) == 0 ? 0 : 70;
}
