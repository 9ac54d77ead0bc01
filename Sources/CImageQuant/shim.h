// libimagequant as Swift imports it.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <libimagequant.h>

// Limits OpenMP to one thread for calls from this thread. Floating-point sums, and so palettes,
// depend on the number of threads. The function is looked up by name, because compilers link
// OpenMP's library in different ways.
static inline void lv_single_openmp_thread(void) {
    void (*set_threads)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "omp_set_num_threads");
    if (set_threads) set_threads(1);
}
