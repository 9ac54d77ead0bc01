import Core
import Foundation
import TestSupport
import Testing

@Suite struct PlatformTests {
    @Test func resourcesArePlausible() {
        #expect((1...max(1, sysconf(Int32(_SC_NPROCESSORS_CONF)))).contains(Resources.processors))
        #expect(Resources.memory > 1 << 26)
        #expect(Resources.memory <= Int(clamping: ProcessInfo.processInfo.physicalMemory))
    }

    @Test func reservationsHaveLimits() { #expect(Resources.canReserve(1 << 20) && !Resources.canReserve(.max)) }

    @Test func cpuTimeIncreasesWithWork() {
        let before = Resources.cpuSeconds
        var sum = 0.0
        for number in 1...1_000_000 { sum += sin(Double(number)) }
        #expect(sum.isFinite && Resources.cpuSeconds > before)
    }

    @Test func loadedFilesIncludeProgramAndLibraries() throws {
        let program = String(decoding: try #require(LoadedFiles.program), as: UTF8.self)
        #expect(FileManager.default.isExecutableFile(atPath: program))
        let names = LoadedFiles.all.map { URL(fileURLWithPath: $0).lastPathComponent }
        #expect(LoadedFiles.all.contains(program))
        #expect(names.contains { $0.hasPrefix("libavcodec.") })
        #expect(Set(names).count > 10)
    }

    /// Touching 64 MB raises the peak after a reset.
    @Test(.enabled(if: ResidentMemory.resetPeak())) func peakMemoryIsMeasured() throws {
        let size = 64 << 20
        try #require(ResidentMemory.resetPeak())
        let before = try #require(ResidentMemory.now)
        let memory = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        try #require(memory != MAP_FAILED)
        memset(memory, 1, size)
        #expect(try #require(ResidentMemory.peak) > before + size / 2)
        munmap(memory, size)
    }

    @Test func flushToDiskReportsErrors() throws {
        let directory = try TemporaryDirectory()
        for (path, flags) in [(directory.file("a"), O_WRONLY | O_CREAT), (directory.path, O_RDONLY)] {
            let descriptor = open(path, flags, 0o600)
            try #require(descriptor >= 0)
            #expect(flushToDisk(descriptor), "\(path)")
            close(descriptor)
        }
        let result = flushToDisk(-1)
        let code = errno
        #expect(!result && code == EBADF)
    }

    @Test func modificationTimeIsExact() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a")
        try makeFile("a", at: path)
        var times = [timeval(tv_sec: 1000, tv_usec: 0), timeval(tv_sec: 2000, tv_usec: 500_000)]
        try #require(utimes(path, &times) == 0)
        var status = stat()
        try #require(stat(path, &status) == 0)
        #expect(status.modified.tv_sec == 2000 && status.modified.tv_nsec == 500_000_000)
    }

    @Test func realPathResolvesLinks() throws {
        let directory = try TemporaryDirectory()
        try makeFile("a", at: directory.file("a"))
        try FileManager.default.createSymbolicLink(atPath: directory.file("b"), withDestinationPath: "a")
        #expect(try #require(realPath(directory.file("b"))) == #require(realPath(directory.file("a"))))
        #expect(realPath(directory.file("c")) == nil)
    }

    @Test func otherFilesHaveNoTerminalWidth() throws {
        let descriptor = open("/dev/null", O_RDWR)
        defer { close(descriptor) }
        #expect(terminalColumns(descriptor) == nil)
    }
}
