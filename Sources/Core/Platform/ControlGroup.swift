/// The limits of this process's control groups (cgroups), of version 2 or 1. Only Linux has them.
package struct ControlGroup {
    private let mount: String
    /// The groups that this process belongs to: for each hierarchy its controllers (none in version
    /// 2) and the group's path.
    private let groups: [(controllers: [Substring], path: Substring)]

    /// The groups of this process.
    ///
    /// - Parameters:
    ///   - mount: the directory at which the hierarchies are mounted.
    ///   - membership: the file that lists the groups.
    package init(mount: String = "/sys/fs/cgroup", membership: String = "/proc/self/cgroup") {
        self.mount = mount
        groups = kernelFileText(membership).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            return fields.count == 3 ? (fields[1].split(separator: ","), fields[2]) : nil
        }
    }

    /// The memory limit in bytes; nil if there is none. Version 1 reports a missing limit as a
    /// number near 2^63.
    package var memoryLimit: Int? {
        let found =
            values(of: "memory.max", in: nil) + values(of: "memory.limit_in_bytes", in: "memory")
        return found.compactMap(\.number).min()
    }

    /// The number of processors that the CPU time quota corresponds to, rounded up; nil if there is
    /// no quota.
    package var processorLimit: Int? {
        let version2 = values(of: "cpu.max", in: nil).map { value in
            let words = value.text.split(separator: " ")
            return (words.first.flatMap { Int($0) }, words.last.flatMap { Int($0) })
        }
        let periods = values(of: "cpu.cfs_period_us", in: "cpu")
        let version1 = values(of: "cpu.cfs_quota_us", in: "cpu").map { quota in
            (quota.number, periods.first { $0.folder == quota.folder }?.number)
        }
        return (version2 + version1).compactMap { quota, period -> Int? in
            guard let quota, let period, quota > 0, period > 0 else { return nil }
            return (quota - 1) / period + 1
        }.min()
    }

    /// The first line of a group's file.
    private struct Value {
        let folder: String
        let text: Substring
        var number: Int? { Int(text) }
    }

    /// Returns the values of a file in this process's group and its ancestors, each of which limits
    /// its descendants. A nil controller means version 2. In a container only the root of the
    /// hierarchy may exist, and that root is the container's own group.
    private func values(of name: String, in controller: Substring?) -> [Value] {
        let group = groups.first { controller.map($0.controllers.contains) ?? $0.controllers.isEmpty }
        let roots =
            controller.map { controller in
                [mount + "/" + controller, mount + "/" + (group?.controllers.joined(separator: ",") ?? "")]
            } ?? [mount, mount + "/unified"]
        let names = (group?.path ?? "").split(separator: "/")
        var found: [Value] = []
        for root in Set(roots) {
            for depth in 0...names.count {
                let folder = ([Substring(root)] + names.prefix(depth)).joined(separator: "/")
                let lines = kernelFileText(folder + "/" + name).split(separator: "\n")
                if let line = lines.first { found.append(Value(folder: folder, text: line)) }
            }
        }
        return found
    }
}
