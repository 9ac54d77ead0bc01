// libimagequant as Swift imports it.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <libimagequant.h>

// Sums of floating-point numbers depend on how many threads share them, and so would palettes. Where the library was built
// with OpenMP, whoever calls it from this thread now gets one. The name is looked up, since compilers differ in how OpenMP's
// library is linked.
static inline void lv_single_openmp_thread(void) {
    void (*set_threads)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "omp_set_num_threads");
    if (set_threads) set_threads(1);
}
