import Foundation
import TestSupport
import Testing

/// Files that are complete, and files that only claim a size.
@Suite struct WholeFileTests {
    /// Sizes near the largest integer must not overflow.
    @Test(arguments: some(of: ["mp4", "mov"], each: 2)) func hugeSparseFilesAreBadData(_ fileExtension: String) throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 64x32 --fps 25", to: "whole.mp4")
        try fixture.encode("qq-mail --size 64x32 --fps 25", to: "clip.\(fileExtension)")
        // Most file systems have smaller limits than the memory file system.
        let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : fixture.file(".")
        let path = "\(folder)/loadervid-\(UUID().uuidString).\(fileExtension)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(fixture.bytes("clip.\(fileExtension)").prefix(300)).write(to: URL(fileURLWithPath: path))
        guard truncate(path, 4 << 60) == 0 else { return }
        for command in [["verify", path], ["diff", "whole.mp4", path], ["analyze", path]] {
            let outcome = try Subprocess(builtProgram, command, directory: fixture.directory).wait(timeout: 60)
            #expect(outcome.code == 65 && outcome.errorLines.count == 1, "\(command): \(outcome.errorText)")
        }
    }

    /// Complete files of other programs are compared, with any structure.
    @Test(.slow, arguments: some(of: ["mp4", "mov", "mkv"], each: 2))
    func completeFilesAreNotTruncated(_ fileExtension: String) throws {
        let fixture = try VerificationFixture()
        let video = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=2"]
        let sound = ["-f", "lavfi", "-i", "sine=duration=3.7"]
        let h264 = ["-c:v", "libx264", "-preset", "medium", "-bf", "3", "-g", "12", "-pix_fmt", "yuv420p"]
        let variable = ["-vf", "select='not(mod(n,3))+eq(n,1)'", "-fps_mode", "vfr"]
        try fixture.ffmpeg(video + sound + h264 + ["-c:a", "aac", "long.\(fileExtension)"])
        try fixture.ffmpeg(video + variable + h264 + ["vfr.\(fileExtension)"])
        try fixture.ffmpeg(video + h264 + ["b.\(fileExtension)"])
        try fixture.ffmpeg(["-ss", "0.7", "-i", "b.\(fileExtension)", "-c", "copy", "cut.\(fileExtension)"])
        for name in ["long", "vfr", "b", "cut"] { try expectWhole(fixture, name, fileExtension) }
    }

    @Test(
        .slow,
        arguments: [
            ("webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-auto-alt-ref", "1", "-lag-in-frames", "16"]),
            ("apng", ["-f", "apng", "-plays", "0"]), ("gif", []),
        ])
    func completeFilesOfOtherFormatsAreNotTruncated(_ fileExtension: String, _ options: [String]) throws {
        let fixture = try VerificationFixture()
        let video = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=2"]
        try fixture.ffmpeg(video + options + ["even.\(fileExtension)"])
        try fixture.ffmpeg(
            video + ["-vf", "select='not(mod(n,3))+eq(n,1)'", "-fps_mode", "vfr"] + options + ["vfr.\(fileExtension)"])
        for name in ["even", "vfr"] { try expectWhole(fixture, name, fileExtension) }
    }

    /// Expects that a file equals itself, and a remux of it where copying streams keeps them whole.
    private func expectWhole(_ fixture: VerificationFixture, _ name: String, _ fileExtension: String) throws {
        let file = "\(name).\(fileExtension)"
        let same = try fixture.run(["diff", file, file])
        #expect(same.code == 0, "\(file): \(same.code) \(same.text) \(same.errorText)")
        let format = fileExtension == "apng" ? ["-f", "apng", "-plays", "0"] : []
        let copy = "copy-\(file)"
        try fixture.ffmpeg(["-i", file, "-c", "copy", "-metadata", "title=x"] + format + [copy])
        let remuxed = try fixture.run(["diff", file, copy])
        #expect(remuxed.code != 65, "\(file): \(remuxed.text) \(remuxed.errorText)")
    }
}
