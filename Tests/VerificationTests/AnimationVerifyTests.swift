import Foundation
import TestSupport
import Testing

/// What `verify` and `diff` say of GIF, APNG and WebP beside the same pictures as others see or make them.
@Suite struct AnimationVerifyTests {
    /// The system's Python has the system's Pillow; another one that comes first may not.
    private static let python =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") ? "/usr/bin/python3" : "python3"

    private func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }

    private func chunk(_ code: String, _ body: [UInt8]) -> [UInt8] {
        Array(code.utf8) + little(body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }

    /// A still of one colour as the chunk of an animation, blended with what is there.
    private func still(_ color: String, _ width: Int, _ height: Int, at x: Int, _ y: Int, in bench: Bench) throws
        -> [UInt8]
    {
        try bench.ffmpeg([
            "-f", "lavfi", "-i", "color=c=\(color):s=\(width)x\(height),format=rgba", "-frames:v", "1", "-c:v",
            "libwebp",
            "-pix_fmt", "bgra", "-lossless", "1", "still.webp",
        ])
        let bytes = try bench.bytes("still.webp")
        let start = try #require((12..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == Array("VP8L".utf8) })
        let head = little(x / 2, 3) + little(y / 2, 3) + little(width - 1, 3) + little(height - 1, 3) + little(100, 3)
        return chunk("ANMF", head + [0] + bytes[start...])
    }

    /// Half transparent pictures over opaque ones, over others such, and over nothing, beside libwebp's own.
    @Test func blendedWebPIsWhatLibwebpShows() throws {
        let bench = try Bench()
        var chunks = chunk("VP8X", [0x12, 0, 0, 0] + little(63, 3) + little(31, 3))
        chunks += chunk("ANIM", [0, 0, 0, 0, 0, 0])
        chunks += try still("0x20C0E0", 32, 32, at: 0, 0, in: bench)
        chunks += try still("red@0.5", 40, 16, at: 10, 4, in: bench)
        chunks += try still("0x1040F0@0.25", 30, 20, at: 20, 8, in: bench)
        chunks += try still("0xF0F010@0.8", 20, 30, at: 30, 0, in: bench)
        try bench.write(
            Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks, to: "blended.webp")
        let script = """
            import hashlib
            from PIL import Image
            image = Image.open("blended.webp")
            for number in range(image.n_frames):
                image.seek(number)
                print(hashlib.sha256(image.convert("RGBA").tobytes()).hexdigest())
            """
        let hashes = try Subprocess(Self.python, ["-c", script], directory: bench.directory).wait()
        try #require(hashes.code == 0 && hashes.lines.count == 4, "\(hashes.errorText)")
        try bench.write(hashes.output, to: "hashes")
        let verdict = try bench.verify("--frames-sha256", "hashes", "blended.webp")
        #expect(!verdict.files.isEmpty && !verdict.wrong.contains("frame-hash"), "\(verdict)")
    }

    /// GIF knows opaque pixels and none, and may be mixed with a matte: that is what is expected of it.
    @Test(arguments: [
        "--background transparent", "--background transparent --matte white", "--background #ff000080",
        "--background #00ff0040 --matte #204060", "--background #ff000030", "",
    ])
    func ofGIFIsExpectedWhatItHolds(_ options: String) throws {
        let bench = try Bench()
        let clip = "--scale 1 --fps 25 \(options)"
        try bench.encode("qq-mail \(clip)", to: "a.gif")
        let words = clip.split(separator: " ").map(String.init)
        let right = try bench.run(["verify", "a.gif", "--against", "qq-mail"] + words)
        #expect(right.code == 0, "\(right.text)")
        let wrong = try bench.run(["verify", "a.gif", "--against", "qq-mail", "--set", "radius=9"] + words)
        #expect(wrong.code == 1 && wrong.text.contains("expected-picture"), "\(wrong.text)")
    }

    @Test func displayP3IsExpectedWhereItIsAskedFor() throws {
        let bench = try Bench()
        let clip = ["--size", "120x60", "--fps", "10", "--background", "red"]
        try bench.encode("qq-mail \(clip.joined(separator: " ")) --color p3", to: "a.mp4")
        let right = try bench.run(["verify", "a.mp4", "--against", "qq-mail", "--color", "p3"] + clip)
        #expect(right.code == 0, "\(right.text)")
        let wrong = try bench.run(["verify", "a.mp4", "--against", "qq-mail"] + clip)
        #expect(wrong.code == 1 && wrong.text.contains("expected-picture"), "\(wrong.text)")
    }

    /// APNG gives delays in milliseconds: rates that are no whole number of them are right, and wrong delays are found.
    @Test(arguments: ["60", "30000/1001", "24000/1001", "48", "72", "75", "90"])
    func timesOfAPNGAreWholeMilliseconds(_ rate: String) throws {
        let bench = try Bench()
        try bench.encode("qq-mail --size 64x32 --fps \(rate)", to: "a.apng")
        let right = try bench.run(["verify", "a.apng", "--against", "qq-mail", "--size", "64x32", "--fps", rate])
        #expect(right.code == 0, "\(right.text)")
        let times = try bench.verify("a.apng")
        let wanted = try #require(rate.contains("/") ? Double(rate.dropLast(5)).map { $0 / 1001 } : Double(rate))
        #expect(abs((times.files.first?.rate ?? 0) / wanted - 1) < 0.001, "\(times)")
        try bench.write(Self.delaying(picture: 20, by: 7, bench.bytes("a.apng")), to: "late.apng")
        let late = try bench.verify("late.apng")
        #expect(late.wrong.contains("time-uneven"), "\(late)")
    }

    /// An APNG one delay of which is longer by some milliseconds, its checksum put right.
    private static func delaying(picture: Int, by milliseconds: Int, _ bytes: [UInt8]) throws -> [UInt8] {
        var (bytes, place, count) = (bytes, 8, 0)
        while place + 12 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            if Array(bytes[place + 4..<place + 8]) == Array("fcTL".utf8) {
                if count == picture {
                    let parts = Int(bytes[place + 30]) << 8 | Int(bytes[place + 31])
                    let delay = (Int(bytes[place + 28]) << 8 | Int(bytes[place + 29])) + milliseconds * parts / 1000
                    bytes.replaceSubrange(place + 28..<place + 30, with: [UInt8(delay >> 8), UInt8(delay & 255)])
                    var sum = UInt32.max
                    for byte in bytes[place + 4..<place + 8 + length] {
                        sum ^= UInt32(byte)
                        for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ (sum >> 1) }
                    }
                    let check = (0..<4).map { UInt8((~sum >> (24 - 8 * UInt32($0))) & 255) }
                    bytes.replaceSubrange(place + 8 + length..<place + 12 + length, with: check)
                    return bytes
                }
                count += 1
            }
            place += 12 + length
        }
        throw SubprocessError(description: "there is no picture \(picture)")
    }
}
