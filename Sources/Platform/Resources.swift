import CSystem

/// What the machine, and the limits of this process, leave it.
package enum Resources {
    /// Processors that this process may use: those it is bound to, or what the control group's quota is worth if that is
    /// less, such as a container's `--cpus`. Where there is neither, those that are switched on.
    package static var processors: Int {
        let bound = Int(lv_bound_processors())
        let processors = bound > 0 ? bound : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        return max(1, min(processors, ControlGroup().processors ?? processors))
    }

    /// Memory in bytes: the machine's, or what the control group or a limit of this process allows if that is less.
    package static var memory: Int {
        let physical = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return min(physical, ControlGroup().memory ?? physical, memoryLimit ?? physical)
    }

    /// What this process may reserve in bytes, its libraries included; nil if there is no limit.
    package static var memoryLimit: Int? {
        [limit(of: RLIMIT_AS), limit(of: RLIMIT_DATA)].compactMap { $0 }.min().map { Int(clamping: $0) }
    }

    #if canImport(Glibc)
        private static func limit(of resource: __rlimit_resource) -> rlim_t? {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return nil }
            return limit.rlim_cur == rlim_t.max ? nil : limit.rlim_cur
        }
    #else
        private static func limit(of resource: Int32) -> rlim_t? {
            var limit = rlimit()
            // RLIM_INFINITY is a macro with a cast, which Swift does not see: the largest signed number.
            guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(Int64.max) else { return nil }
            return limit.rlim_cur
        }
    #endif

    /// Processor time of all threads of this process so far, in seconds.
    package static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
