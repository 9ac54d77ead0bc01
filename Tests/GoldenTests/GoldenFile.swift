import Foundation
import Raster
import Scene
import TestSupport
import Testing

/// The stored pictures that drawings are compared with.
enum GoldenFile {
    /// `Tests/GoldenTests/Golden`, next to this file.
    static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    /// Whether drawings are stored instead of compared: only with `LOADERVID_RECORD_GOLDEN=1`.
    static let isRecording = ProcessInfo.processInfo.environment["LOADERVID_RECORD_GOLDEN"] == "1"

    static func url(_ name: String) -> URL { directory.appending(path: name + ".png") }

    /// A stored picture; nil if there is none or it cannot be read.
    static func picture(_ name: String) -> PixelGrid? {
        guard let data = try? Data(contentsOf: url(name)) else { return nil }
        return PixelGrid(png: [UInt8](data))
    }

    /// What draws letters here, and what drew those of the stored pictures.
    private static let system = "Cairo \(TextSystem.versions.cairo), Pango \(TextSystem.versions.pango)\n"
    private static let systemURL = directory.appending(path: "system.txt")
    static var isFromHere: Bool { (try? String(contentsOf: systemURL, encoding: .utf8)) == system }

    /// Compares a drawing with a stored picture, or stores it if that was asked for. Letters, which are in these boxes, may
    /// look a little otherwise where another system stored them.
    static func expect(_ actual: PixelGrid, toLookAs name: String, letters: [PixelRect] = []) throws {
        if isRecording { try record(actual, as: name) }
        let expected = picture(name)
        var reason = "there is no stored picture"
        if let expected {
            if Comparison(expected, actual).isMatch { return }
            reason = "the pictures differ"
            if !letters.isEmpty, !isFromHere {
                let problems = CaptionComparison(expected, actual, letters: letters).problems
                if problems.isEmpty { return }
                reason = problems.prefix(5).joined(separator: ", ")
            }
        }
        let report = try report(expected: expected, actual: actual, name: name)
        Issue.record("\(name): \(reason); expected, actual and difference: \(report.path())")
    }

    static func record(_ picture: PixelGrid, as name: String) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(picture.png()).write(to: url(name))
        try Data(system.utf8).write(to: systemURL)
    }

    /// Writes expected, actual and differing pixels side by side into the temporary directory.
    static func report(expected: PixelGrid?, actual: PixelGrid, name: String) throws -> URL {
        let empty = PixelGrid(width: actual.width, height: actual.height)
        let expected = expected ?? empty
        let pictures = [expected, actual, Comparison(expected, actual).map ?? empty]
        let file = FileManager.default.temporaryDirectory.appending(path: "loadervid-golden-\(name).png")
        try Data(PixelGrid(sideBySide: pictures).png()).write(to: file)
        return file
    }
}

/// What differs between two pictures.
struct Comparison {
    /// A channel may differ by this much, of 255.
    static let threshold = 8
    /// This fraction of all pixels may differ by more.
    static let budget = 0.001

    /// How many pixels differ by more than the threshold; nil if the sizes are unlike.
    let differing: Int?
    /// Those pixels in white on black.
    let map: PixelGrid?
    private let total: Int

    init(_ a: PixelGrid, _ b: PixelGrid) {
        total = a.width * a.height
        guard a.width == b.width, a.height == b.height else {
            (differing, map) = (nil, nil)
            return
        }
        var (count, map) = (0, PixelGrid(width: a.width, height: a.height))
        a.pixels.withUnsafeBufferPointer { a in
            b.pixels.withUnsafeBufferPointer { b in
                map.pixels.withUnsafeMutableBufferPointer { map in
                    for index in stride(from: 0, to: a.count, by: 4) {
                        map[index + 3] = 255
                        // Most pixels are the same.
                        guard
                            a[index] != b[index] || a[index + 1] != b[index + 1] || a[index + 2] != b[index + 2]
                                || a[index + 3] != b[index + 3]
                        else { continue }
                        let worst = (index..<index + 4).map { abs(Int(a[$0]) - Int(b[$0])) }.max() ?? 0
                        guard worst > Comparison.threshold else { continue }
                        count += 1
                        for channel in index..<index + 3 { map[channel] = 255 }
                    }
                }
            }
        }
        (differing, self.map) = (count, map)
    }

    /// Whether the pictures are the same for all that one can see.
    var isMatch: Bool { differing.map { Double($0) <= Comparison.budget * Double(total) } ?? false }
}

extension PixelGrid {
    /// The picture as a PNG file.
    func png() throws -> [UInt8] {
        let rasterizer = try Rasterizer(width: width, height: height)
        let frame = Rect(x: 0, y: 0, width: Double(width), height: Double(height))
        let nodes = Bitmap(width: width, height: height, pixels: pixels).map { [Node.image(Image($0, frame: frame))] }
        let size = Size(frame.width, frame.height)
        try rasterizer.draw(Scene(size: size, background: Color.black.opacity(0), nodes: nodes ?? []))
        return try rasterizer.pixmap.png()
    }

    /// Pictures in a row, four pixels apart.
    init(sideBySide pictures: [PixelGrid]) {
        let width = pictures.reduce(4 * (pictures.count - 1)) { $0 + $1.width }
        self.init(width: width, height: pictures.map(\.height).max() ?? 1)
        var left = 0
        for picture in pictures {
            for y in 0..<picture.height {
                let (from, to) = (4 * y * picture.width, 4 * (y * width + left))
                pixels.replaceSubrange(
                    to..<to + 4 * picture.width, with: picture.pixels[from..<from + 4 * picture.width])
            }
            left += picture.width + 4
        }
    }
}
