import Core
import Foundation
import Raster
import TestSupport
import Testing

/// The golden images with which drawings are compared.
enum GoldenFile {
    /// The folder `Golden` next to this file.
    static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    /// True if drawings are stored before they are compared, which `LOADERVID_RECORD_GOLDEN=1`
    /// requests.
    static let isRecording = ProcessInfo.processInfo.environment["LOADERVID_RECORD_GOLDEN"] == "1"

    static func url(_ name: String) -> URL { directory.appending(path: name + ".png") }

    /// Returns a golden image; nil if it does not exist or cannot be read.
    static func image(_ name: String) -> PixelGrid? {
        guard let data = try? Data(contentsOf: url(name)) else { return nil }
        return PixelGrid(png: [UInt8](data))
    }

    /// The libraries that draw text on this system.
    private static let system = "Cairo \(TextSystem.versions.cairo), Pango \(TextSystem.versions.pango)\n"
    /// The file with the libraries that drew the golden images.
    private static let systemURL = directory.appending(path: "system.txt")
    /// True if the golden images were drawn with this system's libraries.
    static var isFromThisSystem: Bool { (try? String(contentsOf: systemURL, encoding: .utf8)) == system }

    /// Compares a drawing with a golden image, after storing it if recording is on. If the golden
    /// image comes from another system, texts in the given boxes may differ slightly.
    static func expect(_ actual: PixelGrid, matches name: String, textBoxes: [PixelRect] = []) throws {
        if isRecording { try record(actual, as: name) }
        let expected = image(name)
        var reason = "there is no golden image"
        if let expected {
            if Comparison(expected, actual).isMatch { return }
            reason = "the images differ"
            if !textBoxes.isEmpty, !isFromThisSystem {
                let problems = CaptionComparison(expected, actual, textBoxes: textBoxes).problems
                if problems.isEmpty { return }
                reason = problems.prefix(5).joined(separator: ", ")
            }
        }
        let report = try report(expected: expected, actual: actual, name: name)
        Issue.record("\(name): \(reason); expected, actual and difference: \(report.path())")
    }

    static func record(_ drawing: PixelGrid, as name: String) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(drawing.png()).write(to: url(name))
        try Data(system.utf8).write(to: systemURL)
    }

    /// Writes the expected and actual drawings and a map of different pixels side by side into the
    /// temporary directory.
    static func report(expected: PixelGrid?, actual: PixelGrid, name: String) throws -> URL {
        let empty = PixelGrid(width: actual.width, height: actual.height)
        let expected = expected ?? empty
        let panels = [expected, actual, Comparison(expected, actual).map ?? empty]
        let file = FileManager.default.temporaryDirectory.appending(path: "loadervid-golden-\(name).png")
        try Data(PixelGrid(sideBySide: panels).png()).write(to: file)
        return file
    }
}

/// A pixel-by-pixel comparison of two bitmaps.
struct Comparison {
    /// The tolerated difference of a channel in 0...255.
    static let threshold = 8
    /// The tolerated fraction of pixels that differ by more than `threshold`.
    static let budget = 0.001

    /// The number of pixels that differ by more than `threshold`; nil if the sizes differ.
    let differing: Int?
    /// Those pixels, white on black.
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
                        // The fast path: most pixels are equal.
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

    /// True if the bitmaps look the same.
    var isMatch: Bool { differing.map { Double($0) <= Comparison.budget * Double(total) } ?? false }
}

extension PixelGrid {
    /// Returns the bitmap as a PNG file.
    func png() throws -> [UInt8] {
        let rasterizer = try Rasterizer(width: width, height: height)
        let frame = Rect(x: 0, y: 0, width: Double(width), height: Double(height))
        let nodes = Bitmap(width: width, height: height, pixels: pixels).map { [Node.image(Image($0, frame: frame))] }
        let size = Size(frame.width, frame.height)
        try rasterizer.draw(Scene(size: size, background: Color.black.opacity(0), nodes: nodes ?? []))
        return try rasterizer.pixmap.png()
    }

    /// A row of bitmaps, four pixels apart.
    init(sideBySide panels: [PixelGrid]) {
        let width = panels.reduce(4 * (panels.count - 1)) { $0 + $1.width }
        self.init(width: width, height: panels.map(\.height).max() ?? 1)
        var left = 0
        for panel in panels {
            for y in 0..<panel.height {
                let from = 4 * y * panel.width
                let to = 4 * (y * width + left)
                pixels.replaceSubrange(to..<to + 4 * panel.width, with: panel.pixels[from..<from + 4 * panel.width])
            }
            left += panel.width + 4
        }
    }
}
