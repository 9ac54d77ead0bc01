import Foundation
import TestSupport
import Testing

/// Files with false declarations: a damaged file is bad data, for every error that libav reports.
@Suite struct DamageTests {
    private static let clip = "qq-mail --size 64x32 --fps 25"

    /// All commands that read a clip.
    private func commands(_ name: String) -> [[String]] {
        [["verify", name], ["analyze", name], ["compare", name, "--as", "qq-mail"], ["diff", "whole.mp4", name]]
    }

    /// A chunk past the end of the file makes libav report that memory ran out.
    @Test(.slow, arguments: some(of: ["mp4", "mov"], each: 2))
    func chunkOffsetsPastTheEndAreBadData(_ fileExtension: String) throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "whole.mp4")
        try fixture.encode(Self.clip, to: "clip.\(fileExtension)")
        let whole = try fixture.bytes("clip.\(fileExtension)")
        let offsets = try #require(Box.find(["stco"], in: whole).first)
        for (name, bytes) in [
            ("stco", Self.changed(whole, at: offsets.body.lowerBound + 8)), ("co64", try Self.wide(whole)),
        ] {
            try fixture.write(bytes, to: "\(name).\(fileExtension)")
            for command in commands("\(name).\(fileExtension)") {
                let outcome = try fixture.run(command)
                let lines = outcome.errorLines.count
                #expect(outcome.code == 65 && lines <= 1, "\(command): \(outcome.code) \(outcome.errorText)")
                #expect(!outcome.errorText.contains("memory"), "\(command): \(outcome.errorText)")
            }
        }
    }

    /// Changes any byte of the tables with the positions, sizes and times of frames.
    @Test(.slow, arguments: ["mp4", "mov", "mkv", "webm"])
    func corruptTablesAreHandled(_ fileExtension: String) throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "whole.mp4")
        try fixture.encode(Self.clip, to: "clip.\(fileExtension)")
        let whole = try fixture.bytes("clip.\(fileExtension)")
        let tables: Set = ["stco", "stsz", "stsc", "stts", "ctts", "stss"]
        let positions =
            ["mp4", "mov"].contains(fileExtension)
            ? Box.find(tables, in: whole).flatMap(\.body) : Element.sizes(in: whole)
        try #require(positions.count > 20)
        var random = SeededGenerator(seed: 8)
        let tested = some(of: Array(0..<10), each: 3)
        for number in 0..<10 {
            let offset = positions[random.int(0...positions.count - 1)]
            let value = [0xFF, 0x7F, whole[offset] ^ 0x80, whole[offset] ^ 1][random.int(0...3)]
            guard tested.contains(number) else { continue }
            try fixture.write(Self.changed(whole, at: offset, to: value), to: "broken.\(fileExtension)")
            let all = commands("broken.\(fileExtension)")
            for command in [all[number % 4], all[0]] {
                let outcome = try fixture.run(command)
                #expect(
                    [0, 1, 65].contains(outcome.code) && outcome.errorLines.count <= 1,
                    "\(command), byte \(offset) is \(value): \(outcome.code) \(outcome.errorText)")
            }
        }
    }

    /// `diff` does not compare a truncated file.
    @Test(.slow) func diffRejectsTruncatedFiles() throws {
        let fixture = try VerificationFixture()
        for fileExtension in ["apng", "gif", "webp", "mp4"] { try fixture.encode(Self.clip, to: "a.\(fileExtension)") }
        let png = try fixture.bytes("a.apng")
        let gif = try fixture.bytes("a.gif")
        let webp = try fixture.bytes("a.webp")
        let mp4 = try fixture.bytes("a.mp4")
        var more = webp
        more[5] += 1
        var damaged = [
            ("less.apng", Array(png.dropLast(12))), ("half.apng", Array(png.prefix(png.count / 2))),
            ("less.gif", Array(gif.dropLast())), ("more.webp", more), ("less.mp4", Array(mp4.dropLast(50))),
        ]
        // The file's own frame count shows that frames are missing.
        let control = try #require(Chunk.all(in: png).first { $0.code == "acTL" })
        var counted = png
        counted[control.body.lowerBound + 3] += 5
        damaged.append(("counted.apng", Chunk.repaired(counted, control)))
        for (name, bytes) in damaged {
            try fixture.write(bytes, to: name)
            let whole = "a.\(name.split(separator: ".")[1])"
            for pair in [[whole, name], [name, whole], [name, name]] {
                let outcome = try fixture.run(["diff"] + pair)
                #expect(outcome.code == 65 && outcome.errorLines.count == 1, "\(pair): \(outcome.code) \(outcome.text)")
                #expect(outcome.errorText.contains(name), "\(pair): \(outcome.errorText)")
            }
        }
    }

    /// Corrupt delays, with a frame or a clip that lasts for hours.
    @Test(.slow) func implausibleDelaysAreFound() throws {
        let fixture = try VerificationFixture()
        for fileExtension in ["apng", "gif", "webp"] { try fixture.encode(Self.clip, to: "a.\(fileExtension)") }
        var webp = try fixture.bytes("a.webp")
        for chunk in Chunk.riff(in: webp) where chunk.code == "ANMF" {
            let delay = chunk.body.lowerBound + 12
            webp.replaceSubrange(delay..<delay + 3, with: [0xFF, 0xFF, 0xFF])
        }
        try fixture.write(webp, to: "ages.webp")
        let ages = try fixture.verify("ages.webp")
        #expect(ages.code == 1 && ages.wrong.contains("time-long"), "\(ages)")
        #expect(ages.files[0].duration ?? 0 > 86_400 && ages.files[0].findings.count { $0.id == "time-long" } == 2)
        let png = try fixture.bytes("a.apng")
        let controls = Chunk.all(in: png).filter { $0.code == "fcTL" }
        // A repeated image does not pause for a minute before its last frame.
        for (frame, seconds, isError) in [
            (9, 61, true), (9, 3601, true), (controls.count - 1, 61, false),
            (controls.count - 1, 3600, false), (controls.count - 1, 3601, true),
            (controls.count - 1, 20_000, true),
        ] {
            var late = png
            let delay = controls[frame].body.lowerBound + 20
            late.replaceSubrange(delay..<delay + 4, with: [UInt8(seconds >> 8), UInt8(seconds & 255), 0, 1])
            try fixture.write(Chunk.repaired(late, controls[frame]), to: "late.apng")
            let verdict = try fixture.verify("late.apng")
            let finding = verdict.files.first?.findings.first { $0.id == "time-long" }
            #expect(finding?.severity == (isError ? "error" : "warning"), "\(frame), \(seconds): \(verdict)")
            #expect(
                finding?.frame == frame && finding?.message.contains("\(seconds) s") == true,
                "\(frame), \(seconds): \(verdict)")
        }
        let gif = try fixture.bytes("a.gif")
        let mark: [UInt8] = [0x21, 0xF9, 4]
        let delays = (0..<gif.count - 8).filter { Array(gif[$0..<$0 + 3]) == mark }
        for (offset, severity) in [(delays.first, "error"), (delays.last, "warning")] {
            let offset = try #require(offset)
            var late = gif
            late.replaceSubrange(offset + 4..<offset + 6, with: [0xFF, 0xFF])
            try fixture.write(late, to: "late.gif")
            let verdict = try fixture.verify("late.gif")
            let finding = verdict.files.first?.findings.first { $0.id == "time-long" }
            #expect(finding?.severity == severity, "\(verdict)")
        }
        // A longer last frame does not hide a pause.
        var pauses = gif
        for offset in [delays.first, delays.last].compactMap({ $0 }) {
            pauses.replaceSubrange(offset + 4..<offset + 6, with: offset == delays.last ? [0, 0x30] : [0, 0x20])
        }
        try fixture.write(pauses, to: "pauses.gif")
        #expect(try fixture.verify("pauses.gif").wrong.contains("time-long"))
        // A hold that the user requested is not a fault.
        let held = "qq-mail --size 64x32 --fps 1 --step --hold 100 --static vfr"
        try fixture.encode(held, to: "held.webp")
        let options = held.split(separator: " ").dropFirst().map(String.init)
        let right = try fixture.run(["verify", "--strict", "held.webp", "--against", "qq-mail"] + options)
        #expect(!right.text.contains("time-long"), "\(right.text)")
    }

    /// A copy of the file with one byte changed.
    private static func changed(_ bytes: [UInt8], at offset: Int, to value: UInt8 = 0x7F) -> [UInt8] {
        var bytes = bytes
        bytes[offset] = value
        return bytes
    }

    /// An MP4 with 64-bit chunk offsets, the first of them past the end of the file.
    private static func wide(_ bytes: [UInt8]) throws -> [UInt8] {
        let offsets = try #require(Box.find(["stco"], in: bytes).first)
        func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        func code(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let count = number(offsets.body.lowerBound + 4)
        var box = code(16 + 8 * count, 4) + Array("co64".utf8) + code(0, 4) + code(count, 4)
        for index in 0..<count {
            let offset = number(offsets.body.lowerBound + 8 + 4 * index) + 4 * count
            box += code(index == 0 ? 1 << 40 : offset, 8)
        }
        var wide = bytes
        wide.replaceSubrange(offsets.body.lowerBound - 8..<offsets.body.upperBound, with: box)
        for start in offsets.parents {
            wide.replaceSubrange(start..<start + 4, with: code(number(start) + 4 * count, 4))
        }
        return wide
    }
}

/// A box of an MP4.
private struct Box {
    let code: String
    /// The range of its contents.
    let body: Range<Int>
    /// The offsets of its parent boxes.
    let parents: [Int]

    /// All boxes with one of the codes.
    static func find(_ codes: Set<String>, in bytes: [UInt8]) -> [Box] {
        var found: [Box] = []
        func look(in range: Range<Int>, below parents: [Int]) {
            var offset = range.lowerBound
            while offset + 8 <= range.upperBound {
                let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
                let code = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
                guard size >= 8, offset + size <= range.upperBound else { return }
                if codes.contains(code) {
                    found.append(Box(code: code, body: offset + 8..<offset + size, parents: parents))
                }
                if ["moov", "trak", "mdia", "minf", "stbl"].contains(code) {
                    look(in: offset + 8..<offset + size, below: parents + [offset])
                }
                offset += size
            }
        }
        look(in: bytes.indices, below: [])
        return found
    }
}

/// The elements of a Matroska file.
private enum Element {
    /// The positions of all bytes that encode the size of an element.
    static func sizes(in bytes: [UInt8]) -> [Int] {
        let masters: Set = [
            0x1853_8067, 0x1654_AE6B, 0xAE, 0xE0, 0x1F43_B675, 0x1C53_BB6B, 0xBB, 0xB7, 0x114D_9B74, 0x4DBB, 0xA0,
        ]
        var positions: [Int] = []
        func look(in range: Range<Int>) {
            var offset = range.lowerBound
            while offset + 2 <= range.upperBound, bytes[offset] >= 0x10 {
                let length = bytes[offset].leadingZeroBitCount + 1
                let id = bytes[offset..<min(bytes.count, offset + length)].reduce(0) { $0 << 8 | Int($1) }
                let start = offset + length
                guard start < range.upperBound, bytes[start] > 0 else { return }
                let sizeLength = bytes[start].leadingZeroBitCount + 1
                let body = start + sizeLength
                guard body <= range.upperBound else { return }
                let size = bytes[start + 1..<body].reduce(Int(bytes[start]) & ((1 << (8 - sizeLength)) - 1)) {
                    $0 << 8 | Int($1)
                }
                positions += start..<body
                let end = min(range.upperBound, body + size)
                if masters.contains(id) { look(in: body..<end) }
                offset = end
            }
        }
        look(in: bytes.indices)
        return positions
    }
}

/// A chunk of a PNG or of a RIFF file.
private struct Chunk {
    let code: String
    /// The range of its contents.
    let body: Range<Int>

    static func all(in bytes: [UInt8]) -> [Chunk] {
        var chunks: [Chunk] = []
        var offset = 8
        while offset + 12 <= bytes.count {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let code = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
            chunks.append(Chunk(code: code, body: offset + 8..<offset + 8 + size))
            offset += 12 + size
        }
        return chunks
    }

    static func riff(in bytes: [UInt8]) -> [Chunk] {
        var chunks: [Chunk] = []
        var offset = 12
        while offset + 8 <= bytes.count {
            let size = bytes[offset + 4..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            let code = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
            chunks.append(Chunk(code: code, body: offset + 8..<offset + 8 + size))
            offset += 8 + size + size % 2
        }
        return chunks
    }

    /// A PNG with the correct checksum of a changed chunk.
    static func repaired(_ bytes: [UInt8], _ chunk: Chunk) -> [UInt8] {
        var bytes = bytes
        var sum = UInt32.max
        for byte in bytes[chunk.body.lowerBound - 4..<chunk.body.upperBound] {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ (sum >> 1) }
        }
        let check = (0..<4).map { UInt8((~sum >> (24 - 8 * UInt32($0))) & 255) }
        bytes.replaceSubrange(chunk.body.upperBound..<chunk.body.upperBound + 4, with: check)
        return bytes
    }
}
