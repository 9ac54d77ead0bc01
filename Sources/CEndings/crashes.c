#define _GNU_SOURCE
#include "CEndings.h"

#include "CSystem.h"
#include "endings.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static atomic_bool catches;

/// "a mistake of the program or its libraries", as the command line has it.
static const int internal_code = 70;

/// Whether memory is limited for this process, so that its end may be what broke it.
static atomic_bool has_memory_limit;

static bool is_limited(int resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

static void on_crash(int number) {
    char line[384] = "the program or one of its libraries broke down (signal ";
    size_t length = strlen(line);
    if (number > 9) line[length++] = (char)('0' + number / 10);
    line[length++] = (char)('0' + number % 10);
    strcpy(line + length, ")");
    if (atomic_load(&has_memory_limit)) {
        strcat(line, ", as some do where memory ends: raise its limit (ulimit -v) or ask for less (--jobs, --scale)");
    }
    strcat(line, "; with SWIFT_BACKTRACE in the environment the system deals with it instead");
    lv_end(line, internal_code);
}

// Sanitizers have handlers and a pthread_create of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LV_IS_SANITIZED 1
#endif
#endif
#else
#define LV_IS_SANITIZED 1
#endif

void lv_endings_catch_crashes(void) {
#ifndef LV_IS_SANITIZED
    atomic_store(&catches, true);
    atomic_store(&has_memory_limit, is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA));
    const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGTRAP, SIGILL, SIGFPE};
    const size_t count = sizeof numbers / sizeof *numbers;
    lv_unblock(numbers, count);
    if (getenv("SWIFT_BACKTRACE")) return;
    // A stack of its own, since a stack may be what has ended. It is this thread's alone: when the stack of another one
    // ends, the kernel ends the program without a line.
    static char stack[1 << 16];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (size_t index = 0; index < count; index++) sigaction(numbers[index], &action, NULL);
#else
    (void)on_crash;
#endif
}

// Elsewhere a program's function does not take the place of the one that libraries were linked with.
#if !defined(LV_IS_SANITIZED) && defined(__linux__)
/// Takes the place of the system's function for all libraries. Encoders begin with some threads, are refused others, and
/// then wait for all of them, for ever.
int pthread_create(
    pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*body)(void *),
    void *restrict argument) {
    typedef int function(pthread_t *restrict, const pthread_attr_t *restrict, void *(*)(void *), void *restrict);
    static _Atomic(function *) original;
    function *create = atomic_load(&original);
    if (!create) {
        create = (function *)dlsym(RTLD_NEXT, "pthread_create");
        atomic_store(&original, create);
    }
    int status = create(thread, attributes, body, argument);
    if (status == 0 || !atomic_load(&catches) || lv_thread_refusal_is_expected()) return status;
    // Threads count for a while after somebody has seen them end, such as those that were only to try how many there can be.
    for (int turn = 0; status == EAGAIN && turn < 20; turn++) {
        usleep(1000);
        status = create(thread, attributes, body, argument);
    }
    if (status != 0) {
        lv_end("a library needs more threads than there can be: raise the limits of processes (ulimit -u) and of "
               "memory (ulimit -v)", internal_code);
    }
    return status;
}
#endif
