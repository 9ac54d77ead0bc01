#define _GNU_SOURCE
#include "CCrashHandler.h"

#include "CTermination.h"
#include "CSystem.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static atomic_bool are_crashes_caught;

/// The command line's exit code for an internal error (EX_SOFTWARE).
static const int internal_code = 70;

/// True if this process has a memory limit, which may then have caused the crash.
static atomic_bool has_memory_limit;

static bool is_limited(int resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/// Redirects standard error to /dev/null: before GLib and Swift abort because memory ran out, they
/// print many lines. The program's own messages go to a duplicate of descriptor 2.
static void silence_libraries(void) {
    int own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (own >= 0 && nowhere >= 0 && dup2(nowhere, STDERR_FILENO) == STDERR_FILENO) {
        lv_set_error_descriptor(own);
    } else if (own >= 0) {
        close(own);
    }
    if (nowhere >= 0) close(nowhere);
}

static void on_crash(int number) {
    char line[384] = "the program or one of its libraries crashed (signal ";
    size_t length = strlen(line);
    if (number > 9) line[length++] = (char)('0' + number / 10);
    line[length++] = (char)('0' + number % 10);
    strcpy(line + length, ")");
    if (atomic_load(&has_memory_limit)) {
        strcat(line, ", possibly because memory ran out; raise the memory limit (ulimit -v), or lower --jobs or --scale");
    }
    strcat(line, "; for a crash report, run it again with SWIFT_BACKTRACE=enable=yes");
    lv_terminate(line, internal_code);
}

// Sanitizers install their own handlers and pthread_create.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LV_IS_SANITIZED 1
#endif
#endif
#else
#define LV_IS_SANITIZED 1
#endif

void lv_catch_crashes(void) {
#ifndef LV_IS_SANITIZED
    atomic_store(&are_crashes_caught, true);
    atomic_store(&has_memory_limit, is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA));
    const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGTRAP, SIGILL, SIGFPE};
    const size_t count = sizeof numbers / sizeof *numbers;
    lv_termination_unblock(numbers, count);
    if (getenv("SWIFT_BACKTRACE")) return;
    if (atomic_load(&has_memory_limit)) silence_libraries();
    // An alternate stack, since the crash may be a stack overflow. It belongs to this thread alone:
    // if another thread's stack overflows, the kernel ends the program without a message.
    static char stack[1 << 16];
    stack_t alternate_stack = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate_stack, NULL);
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (size_t index = 0; index < count; index++) sigaction(numbers[index], &action, NULL);
#else
    (void)on_crash;
#endif
}

// On other systems a program's function does not replace the one that libraries were linked with.
#if !defined(LV_IS_SANITIZED) && defined(__linux__)
/// Replaces the system's function for all libraries. An encoder that is refused some of its threads
/// waits for them forever.
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
    if (status == 0 || !atomic_load(&are_crashes_caught) || lv_thread_refusal_is_expected()) return status;
    // A thread counts towards the limit for a short time after it was joined. The threads that
    // Headroom.swift starts to test the limit are such threads.
    for (int attempt = 0; status == EAGAIN && attempt < 20; attempt++) {
        usleep(1000);
        status = create(thread, attributes, body, argument);
    }
    if (status != 0) {
        lv_terminate("a library needs more threads than the limits allow; raise the limits on processes (ulimit -u) and "
               "memory (ulimit -v)", internal_code);
    }
    return status;
}
#endif
