import Annotations
import Loaders
import Raster
import Scene

/// A clip's title in lines as large as have room.
struct TitleText {
    let lines: [String]
    /// Font size in points.
    let fontSize: Double

    /// The largest and the smallest letters, and the smallest that fill more than two lines, as fractions of a picture's
    /// shorter side.
    private static let (largest, smallest, dense) = (1.0 / 18, 1.0 / 40, 1.0 / 30)
    private static let mostLines = 4

    /// The height of a line.
    var lineHeight: Double { TitleText.lineHeight(fontSize) }
    private static func lineHeight(_ fontSize: Double) -> Double { (fontSize * 1.5).rounded(.up) }

    /// The height of all lines.
    var height: Double { Double(lines.count) * lineHeight }

    /// Throws `RenderError` if a title has no room.
    ///
    /// - Parameters:
    ///   - width: how wide a line may be, in points.
    ///   - room: how high the lines may be in all.
    ///   - side: the picture's shorter side.
    init(_ title: String, width: Double, room: Double, side: Double) throws {
        let gauge: TextGauge
        do { gauge = try TextGauge() } catch { throw RenderError(error) }
        let sizes = stride(from: Self.largest, through: Self.smallest - 1e-9, by: -(Self.largest - Self.smallest) / 12)
        for size in sizes.map({ $0 * side }) {
            func fits(_ line: String) -> Bool {
                let text = Text(line, frame: Rect(size: Size(0, 0)), fontSize: size, color: .black, bold: true)
                return gauge.extent(of: text).width.rounded(.up) + 2 <= width
            }
            let most = size >= Self.dense * side ? 2 : Self.mostLines
            guard let lines = Self.lines(of: title, atMost: most, fits),
                Double(lines.count) * Self.lineHeight(size) <= room
            else { continue }
            (self.lines, fontSize) = (lines, size)
            return
        }
        throw RenderError(
            .usage,
            "title '\(title.visible)' has no room above this picture: make it shorter, or the picture wider",
            about: .options("title"))
    }

    /// A text in as few lines as it takes, broken between words; nil if a word, or all, has no room.
    private static func lines(of text: String, atMost most: Int, _ fits: (String) -> Bool) -> [String]? {
        var lines: [String] = []
        for piece in TextExtent.pieces(of: text) {
            if let last = lines.last, fits(last + piece) {
                lines[lines.count - 1] = last + piece
            } else {
                lines.append(String(piece.drop { $0 == " " }))
            }
        }
        return lines.count <= most && lines.allSatisfy(fits) ? lines : nil
    }
}
