import Foundation
import TestSupport
import Testing

/// Compares GIF, APNG and WebP files with the same frames as other programs decode or encode them.
@Suite struct AnimationVerifyTests {
    /// The system's Python has the system's Pillow. Another one on the path may not.
    private static let python =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") ? "/usr/bin/python3" : "python3"

    private func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }

    private func chunk(_ code: String, _ body: [UInt8]) -> [UInt8] {
        Array(code.utf8) + little(body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }

    /// Returns a still image of one colour as a chunk of an animation, blended with the canvas.
    private func still(
        _ color: String, _ width: Int, _ height: Int, at x: Int, _ y: Int, in fixture: VerificationFixture
    )
        throws
        -> [UInt8]
    {
        try fixture.ffmpeg([
            "-f", "lavfi", "-i", "color=c=\(color):s=\(width)x\(height),format=rgba", "-frames:v", "1", "-c:v",
            "libwebp",
            "-pix_fmt", "bgra", "-lossless", "1", "still.webp",
        ])
        let bytes = try fixture.bytes("still.webp")
        let start = try #require((12..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == Array("VP8L".utf8) })
        let head = little(x / 2, 3) + little(y / 2, 3) + little(width - 1, 3) + little(height - 1, 3) + little(100, 3)
        return chunk("ANMF", head + [0] + bytes[start...])
    }

    /// Half-transparent frames over opaque, half-transparent and empty ones must match libwebp's.
    @Test(.slow) func blendedWebPMatchesLibwebp() throws {
        let fixture = try VerificationFixture()
        var chunks = chunk("VP8X", [0x12, 0, 0, 0] + little(63, 3) + little(31, 3))
        chunks += chunk("ANIM", [0, 0, 0, 0, 0, 0])
        chunks += try still("0x20C0E0", 32, 32, at: 0, 0, in: fixture)
        chunks += try still("red@0.5", 40, 16, at: 10, 4, in: fixture)
        chunks += try still("0x1040F0@0.25", 30, 20, at: 20, 8, in: fixture)
        chunks += try still("0xF0F010@0.8", 20, 30, at: 30, 0, in: fixture)
        try fixture.write(
            Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks, to: "blended.webp")
        let script = """
            import hashlib
            from PIL import Image
            image = Image.open("blended.webp")
            for number in range(image.n_frames):
                image.seek(number)
                print(hashlib.sha256(image.convert("RGBA").tobytes()).hexdigest())
            """
        let hashes = try Subprocess(Self.python, ["-c", script], directory: fixture.directory).wait()
        try #require(hashes.code == 0 && hashes.lines.count == 4, "\(hashes.errorText)")
        try fixture.write(hashes.output, to: "hashes")
        let verdict = try fixture.verify("--frames-sha256", "hashes", "blended.webp")
        #expect(!verdict.files.isEmpty && !verdict.wrong.contains("frame-hash"), "\(verdict)")
    }

    /// GIF stores on-or-off transparency only, optionally blended with a matte.
    @Test(
        .slow,
        arguments: [
            "--background transparent", "--background transparent --matte white", "--background #ff000080",
            "--background #00ff0040 --matte #204060", "--background #ff000030", "",
        ])
    func gifIsComparedWithWhatItCanStore(_ options: String) throws {
        let fixture = try VerificationFixture()
        let clip = "--scale 1 --fps 25 \(options)"
        try fixture.encode("qq-mail \(clip)", to: "a.gif")
        let arguments = clip.split(separator: " ").map(String.init)
        let right = try fixture.run(["verify", "a.gif", "--against", "qq-mail"] + arguments)
        #expect(right.code == 0, "\(right.text)")
        let wrong = try fixture.run(["verify", "a.gif", "--against", "qq-mail", "--set", "radius=9"] + arguments)
        #expect(wrong.code == 1 && wrong.text.contains("expected-picture"), "\(wrong.text)")
    }

    @Test func displayP3IsExpectedIfRequested() throws {
        let fixture = try VerificationFixture()
        let clip = ["--size", "120x60", "--fps", "10", "--background", "red"]
        try fixture.encode("qq-mail \(clip.joined(separator: " ")) --color p3", to: "a.mp4")
        let right = try fixture.run(["verify", "a.mp4", "--against", "qq-mail", "--color", "p3"] + clip)
        #expect(right.code == 0, "\(right.text)")
        let wrong = try fixture.run(["verify", "a.mp4", "--against", "qq-mail"] + clip)
        #expect(wrong.code == 1 && wrong.text.contains("expected-picture"), "\(wrong.text)")
    }

    /// APNG delays are in milliseconds. Rates without a whole number of them must pass, and wrong
    /// delays must not.
    @Test(.slow, arguments: ["60", "30000/1001", "24000/1001", "48", "72", "75", "90"])
    func apngDelaysInMillisecondsMatchAnyRate(_ rate: String) throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --size 64x32 --fps \(rate)", to: "a.apng")
        let right = try fixture.run(["verify", "a.apng", "--against", "qq-mail", "--size", "64x32", "--fps", rate])
        #expect(right.code == 0, "\(right.text)")
        let times = try fixture.verify("a.apng")
        let wanted = try #require(rate.contains("/") ? Double(rate.dropLast(5)).map { $0 / 1001 } : Double(rate))
        #expect(abs((times.files.first?.rate ?? 0) / wanted - 1) < 0.001, "\(times)")
        try fixture.write(Self.delaying(frame: 20, by: 7, fixture.bytes("a.apng")), to: "late.apng")
        let late = try fixture.verify("late.apng")
        #expect(late.wrong.contains("time-uneven"), "\(late)")
    }

    /// Returns an APNG with one longer delay and a correct checksum.
    private static func delaying(frame: Int, by milliseconds: Int, _ bytes: [UInt8]) throws -> [UInt8] {
        var bytes = bytes
        var offset = 8
        var count = 0
        while offset + 12 <= bytes.count {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            if Array(bytes[offset + 4..<offset + 8]) == Array("fcTL".utf8) {
                if count == frame {
                    let values = bytes[offset + 28..<offset + 32].map(Int.init)
                    let parts = values[2] << 8 | values[3]
                    let delay = (values[0] << 8 | values[1]) + milliseconds * parts / 1000
                    bytes.replaceSubrange(offset + 28..<offset + 30, with: [UInt8(delay >> 8), UInt8(delay & 255)])
                    var sum = UInt32.max
                    for byte in bytes[offset + 4..<offset + 8 + length] {
                        sum ^= UInt32(byte)
                        for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ (sum >> 1) }
                    }
                    let check = (0..<4).map { UInt8((~sum >> (24 - 8 * UInt32($0))) & 255) }
                    bytes.replaceSubrange(offset + 8 + length..<offset + 12 + length, with: check)
                    return bytes
                }
                count += 1
            }
            offset += 12 + length
        }
        throw SubprocessError(description: "there is no frame \(frame)")
    }
}
