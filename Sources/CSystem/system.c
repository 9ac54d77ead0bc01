#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>

static _Thread_local bool expects_refusal;

int lv_thread_create(pthread_t *thread, void *(*body)(void *), void *argument) {
    expects_refusal = true;
    int status = pthread_create(thread, NULL, body, argument);
    expects_refusal = false;
    return status;
}

bool lv_thread_refusal_is_expected(void) { return expects_refusal; }

#if defined(__linux__)

#include <sched.h>
#include <sys/xattr.h>

int lv_bound_processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

static const char acl_name[] = "system.posix_acl_access";

ssize_t lv_read_acl(const char *path, void *bytes, size_t size) { return getxattr(path, acl_name, bytes, size); }

bool lv_write_acl(int descriptor, const void *bytes, size_t size) {
    if (size > 0) return fsetxattr(descriptor, acl_name, bytes, size, 0) == 0;
    return fremovexattr(descriptor, acl_name) == 0 || errno == ENODATA || errno == ENOTSUP;
}

#elif defined(__APPLE__)

#include <mach-o/dyld.h>
#include <sys/acl.h>

// Processes are bound to no processors there.
int lv_bound_processors(void) { return 0; }

const char *lv_program_path(void) {
    static _Thread_local char path[4096];
    uint32_t size = sizeof path;
    return _NSGetExecutablePath(path, &size) == 0 ? path : NULL;
}

const char *lv_loaded_file(uint32_t index) { return index < _dyld_image_count() ? _dyld_get_image_name(index) : NULL; }

ssize_t lv_read_acl(const char *path, void *bytes, size_t size) {
    acl_t list = acl_get_file(path, ACL_TYPE_EXTENDED);
    if (!list) return -1;
    ssize_t length = acl_copy_ext_native(bytes, list, (ssize_t)size);
    acl_free(list);
    return length;
}

bool lv_write_acl(int descriptor, const void *bytes, size_t size) {
    acl_t list = size > 0 ? acl_copy_int_native(bytes) : acl_init(0);
    if (!list) return false;
    bool is_done = acl_set_fd(descriptor, list) == 0 || (size == 0 && errno == ENOTSUP);
    acl_free(list);
    return is_done;
}

#else
#error "this system is not known: say here how files keep access lists, and how many processors a process is bound to"
#endif
