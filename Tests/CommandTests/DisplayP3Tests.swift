import Foundation
import TestSupport
import Testing

/// `--color p3`: the same colours with other codes, tagged in the stream and in the container.
@Suite struct DisplayP3Tests {
    private static let colors = ["#ff0000", "#00ff00", "#0000ff", "#40a83b", "#808080", "#ffffff", "#123456"]

    @Test(
        .slow,
        arguments: some(
            of: [
                (name: "clip.mov", codec: "prores", slack: 1.5), (name: "clip.mov", codec: "h264", slack: 3),
                (name: "clip.mp4", codec: "hevc", slack: 3), (name: "clip.webm", codec: "vp9", slack: 3),
                (name: "clip.apng", codec: "apng", slack: 0.51),
            ], and: colors, each: 4))
    func colorsAreThoseOfDisplayP3(clip: (name: String, codec: String, slack: Double), color: String) throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "qq", "--size", "64x64", "--duration", "0.1", "--background", color, "--codec", clip.codec, "--color", "p3",
            to: clip.name)
        let corner = try #require(try decodedFrames(of: path).first?[..<3].map(Double.init))
        let wanted = DisplayP3Tests.displayP3(color)
        #expect(
            zip(corner, wanted).allSatisfy { abs($0 - $1) <= clip.slack + 0.5 }, "\(color): \(corner), not \(wanted)")
    }

    /// A colour's Display P3 codes, by way of CIE XYZ and the chromaticities of the primaries.
    private static func displayP3(_ color: String) -> [Double] {
        let number = Int(color.dropFirst(), radix: 16) ?? 0
        let light = [16, 8, 0].map { shift in
            let code = Double(number >> shift & 255) / 255
            return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
        }
        let sRGB = xyz([(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)])
        let tristimulus = (0..<3).map { row in (0..<3).reduce(0) { $0 + sRGB[row][$1] * light[$1] } }
        return solve(xyz([(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]), tristimulus).map { light in
            let light = min(1, max(0, light))
            return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
        }
    }

    /// The matrix from linear RGB with these primaries and white point D65 to XYZ.
    private static func xyz(_ primaries: [(x: Double, y: Double)]) -> [[Double]] {
        let columns = primaries.map { [$0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y] }
        let rows = (0..<3).map { row in columns.map { $0[row] } }
        let scales = solve(rows, [0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290])
        return rows.map { row in zip(row, scales).map { $0 * $1 } }
    }

    /// The solution of three linear equations, by Cramer's rule.
    private static func solve(_ rows: [[Double]], _ values: [Double]) -> [Double] {
        func determinant(_ m: [[Double]]) -> Double {
            (0..<3).reduce(0) { sum, column in
                let (next, last) = ((column + 1) % 3, (column + 2) % 3)
                return sum + m[0][column] * (m[1][next] * m[2][last] - m[1][last] * m[2][next])
            }
        }
        return (0..<3).map { column in
            let replaced = zip(rows, values).map { row, value in row.indices.map { $0 == column ? value : row[$0] } }
            return determinant(replaced) / determinant(rows)
        }
    }

    @Test(
        .slow,
        arguments: some(
            of: [
                ("clip.mov", "h264", "nclc"), ("clip.mov", "prores", "nclc"), ("clip.mp4", "hevc", "nclx"),
                ("clip.mp4", "h264", "nclx"), ("clip.mkv", "h264", ""), ("clip.webm", "vp9", ""),
                ("clip.webm", "av1", ""),
            ], each: 2))
    func streamAndContainerAreTagged(name: String, codec: String, box: String) throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "qq", "--size", "64x64", "--duration", "0.1", "--codec", codec, "--color", "p3", to: name)
        let stream = try Probe(path).stream
        #expect(stream.colorPrimaries == "smpte432" && stream.colorSpace == "bt709", "\(stream)")
        #expect(stream.colorTransfer == "iec61966-2-1")
        let bytes = try TestSupport.bytes(of: path)
        let expectedBox = Array("colr\(box)".utf8) + [0, 12, 0, 13, 0, 1]
        if !box.isEmpty { #expect(bytes.indices.contains { bytes[$0...].starts(with: expectedBox) }) }
    }

    @Test func otherClipsAreUnchanged() throws {
        let workspace = try CommandFixture()
        let clip = ["qq", "--size", "64x64", "--duration", "0.1"]
        let files = try [[], ["--color", "bt709"], ["--color", "p3"]].enumerated().map { number, options in
            let outcome = try workspace.run(
                ["encode"] + clip + options + ["--progress", "none", "-o", "\(number).mp4"])
            try #require(outcome.code == 0)
            return try bytes(of: workspace.directory.file("\(number).mp4"))
        }
        #expect(files[0] == files[1] && files[0] != files[2])
        let refused = try workspace.run(["encode"] + clip + ["--codec", "vp8", "--color", "p3", "-o", "a.webm"])
        expectRefusal(refused, 64, ["does not store a colour space"])
    }
}
