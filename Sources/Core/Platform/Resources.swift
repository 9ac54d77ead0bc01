import CSystem

/// The processors, memory and CPU time available to this process.
package enum Resources {
    /// The number of processors that this process may use: those of its CPU affinity mask,
    /// otherwise those online, or the control group's quota (a container's `--cpus`) if that is
    /// lower.
    package static var processors: Int {
        let bound = Int(lv_bound_processors())
        let processors = bound > 0 ? bound : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        return max(1, min(processors, ControlGroup().processorLimit ?? processors))
    }

    /// Memory in bytes: the machine's, or the limit of the control group or of this process if that
    /// is lower.
    package static var memory: Int {
        let physical = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return min(physical, ControlGroup().memoryLimit ?? physical, memoryLimit ?? physical)
    }

    /// The maximum address space or data size of this process in bytes, libraries included; nil if
    /// there is no limit.
    package static var memoryLimit: Int? {
        [limit(of: RLIMIT_AS), limit(of: RLIMIT_DATA)].compactMap { $0 }.min().map { Int(clamping: $0) }
    }

    /// Returns true if the process could reserve `bytes` more bytes now. The bytes are never
    /// written, so other processes lose no memory.
    package static func canReserve(_ bytes: Int) -> Bool {
        // RLIMIT_AS and RLIMIT_DATA count reserved memory even if it is never written.
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard let start = mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0), start != MAP_FAILED else {
            return false
        }
        munmap(start, bytes)
        return true
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
            // RLIM_INFINITY is a macro with a cast, which Swift does not import. It is the largest
            // signed number.
            guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(Int64.max) else { return nil }
            return limit.rlim_cur
        }
    #endif

    /// The CPU time of all threads of this process so far, in seconds.
    package static var cpuSeconds: Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

    /// The CPU time of the calling thread so far, in seconds.
    package static var threadSeconds: Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
