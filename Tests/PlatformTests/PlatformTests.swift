import Foundation
import Platform
import TestSupport
import Testing

@Suite struct PlatformTests {
    @Test func thereIsSomethingToWorkWith() {
        #expect((1...max(1, sysconf(Int32(_SC_NPROCESSORS_CONF)))).contains(Resources.processors))
        #expect(Resources.memory > 1 << 26)
        #expect(Resources.memory <= Int(clamping: ProcessInfo.processInfo.physicalMemory))
    }

    @Test func processorTimePassesWithWork() {
        let before = Resources.processorSeconds
        var sum = 0.0
        for number in 1...1_000_000 { sum += sin(Double(number)) }
        #expect(sum.isFinite && Resources.processorSeconds > before)
    }

    @Test func theProgramAndItsLibrariesAreKnown() throws {
        let program = String(decoding: try #require(LoadedFiles.program), as: UTF8.self)
        #expect(FileManager.default.isExecutableFile(atPath: program))
        let names = LoadedFiles.all.map { URL(fileURLWithPath: $0).lastPathComponent }
        #expect(LoadedFiles.all.contains(program))
        #expect(names.contains { $0.hasPrefix("libavcodec.") })
        #expect(Set(names).count > 10)
    }

    /// 64 MB that are written to show in the peak, and are forgotten with it.
    @Test(.enabled(if: ResidentMemory.forgetsPeak())) func thePeakOfMemoryIsSeen() throws {
        let size = 64 << 20
        try #require(ResidentMemory.forgetsPeak())
        let before = try #require(ResidentMemory.now)
        let place = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        try #require(place != MAP_FAILED)
        memset(place, 1, size)
        #expect(try #require(ResidentMemory.peak) > before + size / 2)
        munmap(place, size)
    }

    @Test func whatIsWrittenGoesToTheDisk() throws {
        let directory = try TemporaryDirectory()
        for (path, flags) in [(directory.file("a"), O_WRONLY | O_CREAT), (directory.path, O_RDONLY)] {
            let descriptor = open(path, flags, 0o600)
            try #require(descriptor >= 0)
            #expect(putOnDisk(descriptor), "\(path)")
            close(descriptor)
        }
        let (result, code) = (putOnDisk(-1), errno)
        #expect(!result && code == EBADF)
    }

    @Test func filesTellWhenTheyChanged() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a")
        try makeFile("a", at: path)
        var times = [timeval(tv_sec: 1000, tv_usec: 0), timeval(tv_sec: 2000, tv_usec: 500_000)]
        try #require(utimes(path, &times) == 0)
        var status = stat()
        try #require(stat(path, &status) == 0)
        #expect(status.modified.tv_sec == 2000 && status.modified.tv_nsec == 500_000_000)
    }

    @Test func linksAreFollowed() throws {
        let directory = try TemporaryDirectory()
        try makeFile("a", at: directory.file("a"))
        try FileManager.default.createSymbolicLink(atPath: directory.file("b"), withDestinationPath: "a")
        #expect(try #require(realPath(directory.file("b"))) == #require(realPath(directory.file("a"))))
        #expect(realPath(directory.file("c")) == nil)
    }

    @Test func whatIsNoTerminalHasNoColumns() throws {
        let descriptor = open("/dev/null", O_RDWR)
        defer { close(descriptor) }
        #expect(terminalColumns(descriptor) == nil)
    }
}
