#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <sched.h>
#include <sys/xattr.h>

int lv_bound_processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

static _Thread_local bool expects_refusal;

int lv_thread_create(pthread_t *thread, void *(*body)(void *), void *argument) {
    expects_refusal = true;
    int status = pthread_create(thread, NULL, body, argument);
    expects_refusal = false;
    return status;
}

bool lv_thread_refusal_is_expected(void) { return expects_refusal; }

void lv_fill_fresh_memory(void) {
#ifdef M_PERTURB
    mallopt(M_PERTURB, 0x55);
#endif
}

static const char acl_name[] = "system.posix_acl_access";

ssize_t lv_read_acl(const char *path, void *bytes, size_t size) { return getxattr(path, acl_name, bytes, size); }

bool lv_write_acl(int descriptor, const void *bytes, size_t size) {
    if (size > 0) return fsetxattr(descriptor, acl_name, bytes, size, 0) == 0;
    return fremovexattr(descriptor, acl_name) == 0 || errno == ENODATA || errno == ENOTSUP;
}
