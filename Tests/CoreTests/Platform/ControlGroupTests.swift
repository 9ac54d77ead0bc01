import Core
import Foundation
import TestSupport
import Testing

/// A machine's control groups: the content of `/proc/self/cgroup`, the groups' files, and the
/// expected limits.
struct ControlGroupCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let membership: String
    let files: [String: String]
    let memory: Int?
    let processors: Int?

    static let all = [
        ControlGroupCase(
            testDescription: "version 2 in a container", membership: "0::/\n",
            files: ["memory.max": "1073741824\n", "cpu.max": "150000 100000\n"], memory: 1 << 30, processors: 2),
        ControlGroupCase(
            testDescription: "version 2 without limits", membership: "0::/user.slice\n",
            files: ["user.slice/memory.max": "max\n", "user.slice/cpu.max": "max 100000\n"], memory: nil,
            processors: nil),
        ControlGroupCase(
            testDescription: "version 2, limited by a group above", membership: "0::/job/step/task\n",
            files: [
                "job/memory.max": "3000000\n", "job/step/memory.max": "9000000\n", "job/step/task/memory.max": "max\n",
                "job/step/cpu.max": "400000 100000\n", "job/step/task/cpu.max": "50000 100000\n",
                "other/memory.max": "1000\n",
            ], memory: 3_000_000, processors: 1),
        ControlGroupCase(
            testDescription: "version 1 in a container, which sees its own group as the root",
            membership: "5:memory:/docker/4f2a\n4:cpu,cpuacct:/docker/4f2a\n1:name=systemd:/docker/4f2a\n",
            files: [
                "memory/memory.limit_in_bytes": "1073741824\n", "cpu,cpuacct/cpu.cfs_quota_us": "300000\n",
                "cpu,cpuacct/cpu.cfs_period_us": "100000\n",
            ], memory: 1 << 30, processors: 3),
        ControlGroupCase(
            testDescription: "version 1 without limits", membership: "5:memory:/\n2:cpu:/\n0::/\n",
            files: [
                "memory/memory.limit_in_bytes": "9223372036854771712\n", "cpu/cpu.cfs_quota_us": "-1\n",
                "cpu/cpu.cfs_period_us": "100000\n",
            ], memory: 9_223_372_036_854_771_712, processors: nil),
        ControlGroupCase(
            testDescription: "version 1 seen from outside, limited by a group above",
            membership: "7:cpuset:/\n4:memory:/slurm/job_7/step_0\n3:cpu:/slurm/job_7\n0::/\n",
            files: [
                "memory/memory.limit_in_bytes": "9223372036854771712\n",
                "memory/slurm/job_7/memory.limit_in_bytes": "2000000000\n",
                "memory/slurm/job_7/step_0/memory.limit_in_bytes": "2500000000\n",
                "cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n",
                "cpu/slurm/job_7/cpu.cfs_quota_us": "250000\n", "cpu/slurm/job_7/cpu.cfs_period_us": "50000\n",
            ], memory: 2_000_000_000, processors: 5),
        ControlGroupCase(
            testDescription: "both: memory by version 1, processors by version 2",
            membership: "4:memory:/job\n0::/job\n",
            files: ["memory/job/memory.limit_in_bytes": "700000000\n", "unified/job/cpu.max": "100000 100000\n"],
            memory: 700_000_000, processors: 1),
        ControlGroupCase(
            testDescription: "nonsense", membership: "memory\n::::\n\n0::/a\n",
            files: ["a/memory.max": "", "a/cpu.max": "1 0\n", "memory.max": "much\n", "cpu.max": "-1 -1\n"],
            memory: nil, processors: nil),
        ControlGroupCase(testDescription: "none", membership: "", files: [:], memory: nil, processors: nil),
    ]
}

@Suite struct ControlGroupTests {
    @Test(arguments: ControlGroupCase.all) func limitsAreTheMinimumOfAllAncestors(machine: ControlGroupCase) throws {
        let directory = try TemporaryDirectory()
        let mount = directory.file("cgroup")
        for (name, text) in machine.files {
            let path = mount + "/" + name
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try makeFile(text, at: path)
        }
        try makeFile(machine.membership, at: directory.file("membership"))
        let group = ControlGroup(mount: mount, membership: directory.file("membership"))
        #expect(group.memoryLimit == machine.memory)
        #expect(group.processorLimit == machine.processors)
    }

    @Test func missingFilesSetNoLimit() {
        let group = ControlGroup(mount: "/nowhere", membership: "/nowhere/either")
        #expect(group.memoryLimit == nil && group.processorLimit == nil)
    }
}
