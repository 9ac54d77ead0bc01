import Foundation
import TestSupport
import Testing

/// Damaged files, and files that would take much time and memory.
@Suite struct HostileTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// Thousands for scripts/fuzz-verify.
    private static let count =
        environment["LOADERVID_FUZZ"].flatMap { Int($0) } ?? some(of: Array(0..<40), each: 2).count
    private static let seed = environment["LOADERVID_FUZZ_SEED"].flatMap { Int($0) } ?? 1

    /// Runs the program with little memory and at most ten seconds of CPU time.
    private func run(_ arguments: [String], in fixture: VerificationFixture) throws -> Outcome {
        let line = arguments.map { "'\($0)'" }.joined(separator: " ")
        return try Subprocess(
            "sh", ["-c", "ulimit -v 2000000; ulimit -t 10; exec '\(builtProgram)' \(line)"],
            directory: fixture.directory
        ).wait(timeout: 120)
    }

    /// Expects a result, or an error in one line.
    private func expectAnswer(_ outcome: Outcome, _ description: String) {
        #expect([0, 1, 65].contains(outcome.code), "\(description): exit code \(outcome.code), \(outcome.errorText)")
        #expect(outcome.errorLines.count <= 1, "\(description): \(outcome.errorText)")
        if outcome.code == 65, outcome.output.isEmpty { #expect(outcome.errorLines.count == 1, "\(description)") }
    }

    private func clips(in fixture: VerificationFixture) throws -> [String] {
        try fixture.encode("qq-mail --size 64x32 --fps 10 --codec ffv1 --pixel-format bgra", to: "source.mkv")
        return try Format.allCases.map { format in
            try fixture.ffmpeg(
                ["-i", "source.mkv", "-filter_complex", "null" + format.filter, "-fps_mode", "passthrough"]
                    + format.options + [format.name])
            return format.name
        } + ["source.mkv"]
    }

    /// Boxes in boxes without end do not exhaust the stack.
    @Test func nestedBoxesAreBadData() throws {
        let fixture = try VerificationFixture()
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
        func box(_ type: String, _ body: [UInt8]) -> [UInt8] { number(8 + body.count) + Array(type.utf8) + body }
        let depth = 200_000
        let nest = (0..<depth).flatMap { number(8 * (depth - $0)) + Array("mdia".utf8) }
        let header = [UInt8](repeating: 0, count: 12) + number(1000) + number(1000) + [UInt8](repeating: 0, count: 80)
        let file = box("ftyp", Array("isom".utf8) + number(0) + Array("isom".utf8))
        let movie = box("moov", box("mvhd", header) + box("trak", nest))
        try fixture.write(file + movie + box("mdat", number(0)), to: "nest.mp4")
        for arguments in [["verify", "nest.mp4"], ["diff", "nest.mp4", "nest.mp4"]] {
            let outcome = try run(arguments, in: fixture)
            #expect(outcome.code == 65, "\(arguments): \(outcome.errorText)")
        }
    }

    @Test(.slow) func damagedFilesAreAnswered() throws {
        let fixture = try VerificationFixture()
        let files = try clips(in: fixture)
        let whole = try files.map { try fixture.bytes($0) }
        var random = SeededGenerator(seed: Self.seed)
        var codes: [Int32: Int] = [:]
        for number in 0..<Self.count {
            let index = number % files.count
            var bytes = whole[index]
            switch random.int(0...3) {
            case 0: bytes.removeLast(random.int(1...bytes.count - 1))
            case 1:
                let start = random.int(0...bytes.count - 1)
                bytes.removeSubrange(start..<min(bytes.count, start + random.int(1...400)))
            default:
                // Most changes are near the beginning, where the headers are.
                for _ in 0..<random.int(1...12) {
                    let offset = random.int(0...(random.int(0...1) == 0 ? min(400, bytes.count - 1) : bytes.count - 1))
                    bytes[offset] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            try fixture.write(bytes, to: "broken")
            for arguments in [["verify", "broken", "--looped"], ["diff", files[index], "broken"]] {
                let outcome = try run(arguments, in: fixture)
                expectAnswer(outcome, "\(arguments[0]) \(files[index]) \(number) of seed \(Self.seed)")
                codes[outcome.code, default: 0] += 1
            }
        }
        print(
            "fuzz: \(codes.sorted { $0.key < $1.key }.map { "\($0.value) ended with \($0.key)" }.joined(separator: ", "))"
        )
    }

    @Test func scriptsAndPipesAreRejected() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 64x32 --fps 10", to: "clip.mp4")
        let scripts = [
            "ffconcat version 1.0\nfile clip.mp4\n",
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\nclip.mp4\n#EXT-X-ENDLIST\n",
        ]
        #expect(mkfifo(fixture.file("pipe"), 0o600) == 0)
        for script in scripts {
            try fixture.write(Array(script.utf8), to: "script")
            for name in ["script", "pipe", "/dev/zero"] {
                for arguments in [["verify", name], ["diff", "clip.mp4", name]] {
                    let outcome = try run(arguments, in: fixture)
                    #expect(outcome.code == 65 && outcome.errorLines.count == 1, "\(arguments): \(outcome.errorText)")
                }
            }
        }
    }

    @Test func smallFilesWithHugeFramesAreRejected() throws {
        let fixture = try VerificationFixture()
        // A canvas of 16384 pixels per side, as each format declares it, and an animation of many
        // large frames.
        var webp: [UInt8] = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8X".utf8)
        webp += [10, 0, 0, 0, 2, 0, 0, 0, 0xFF, 0x3F, 0, 0xFF, 0x3F, 0]
        webp += Array("ANIM".utf8) + [6, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let frame: [UInt8] = Array("ANMF".utf8) + [24, 0, 0, 0] + [UInt8](repeating: 0, count: 24)
        for _ in 0..<20_000 { webp += frame }
        webp.replaceSubrange(4..<8, with: [0, 0, UInt8(webp.count >> 16 & 255), UInt8(webp.count >> 24 & 255)])
        try fixture.write(webp, to: "bomb.webp")
        var gif: [UInt8] = Array("GIF89a".utf8) + [0x40, 0x1F, 0x40, 0x1F, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        for _ in 0..<2000 { gif += [0x21, 0xF9, 4, 0, 4, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0] }
        try fixture.write(gif + [0x3B], to: "bomb.gif")
        for name in ["bomb.webp", "bomb.gif"] {
            for arguments in [["verify", name], ["diff", name, name]] {
                let outcome = try run(arguments, in: fixture)
                #expect(outcome.code == 65 && outcome.errorLines.count == 1, "\(arguments): \(outcome.errorText)")
                #expect(outcome.errorText.contains("--max-"), "\(arguments): \(outcome.errorText)")
            }
        }
    }
}
