import Annotations
import Loaders
import Scene

/// What is drawn into pictures besides what they show: a title at the top, and a mark in the upper right corner.
package struct Decoration {
    /// The height that the title takes below the upper margin; 0 without one.
    let head: Double
    /// The width that the mark takes of the line at the top where there is no title; 0 without one.
    let corner: Double
    private let title: TitleText?
    private let mark: Bitmap?
    private let markFrame: Rect
    private let titleFrame: Rect

    /// How high a mark is at most, as a fraction of the picture's shorter side, and how many times as wide.
    private static let (markHeight, markShape) = (1.0 / 14, 4.0)

    /// How large a mark is drawn on pictures with a shorter side, in points.
    package static func size(ofMark mark: Bitmap, side: Double) -> Size {
        let (width, height) = (Double(mark.width), Double(mark.height))
        let scale = min(side * markHeight * markShape / width, side * markHeight / height)
        return Size(width * scale, height * scale)
    }

    /// Throws `RenderError` if the title has no room.
    ///
    /// - Parameters:
    ///   - size: the picture, or if it shall grow by the title its width and what is its usual height, in points.
    ///   - safe: what lies within its margins.
    ///   - isApart: whether a mark alone gets a line of its own too.
    init(title text: String?, mark: Bitmap?, size: Size, safe: Rect, isApart: Bool = false) throws {
        let side = min(size.width, size.height)
        let extent = mark.map { Self.size(ofMark: $0, side: side) }
        self.mark = mark
        let gap = side / 40
        markFrame = Rect(
            x: safe.maxX - (extent?.width ?? 0), y: safe.y, width: extent?.width ?? 0, height: extent?.height ?? 0)
        let taken = extent.map { $0.width + gap } ?? 0
        guard let text else {
            (title, titleFrame) = (nil, safe)
            (head, corner) = isApart && mark != nil ? (Self.head(markFrame.height + gap), 0) : (0, taken)
            return
        }
        let title = try TitleText(text, width: safe.width - taken, room: size.height / 3, side: side)
        self.title = title
        titleFrame = Rect(x: safe.x, y: safe.y, width: safe.width - taken, height: title.height)
        (head, corner) = (Self.head(max(title.height, markFrame.height) + gap), 0)
    }

    /// Whole points of which four times fit suit encoders at every usual scale.
    private static func head(_ height: Double) -> Double { (height / 4).rounded(.up) * 4 }

    /// The title and the mark, with letters that are seen on a ground.
    func nodes(on ground: Color) -> [Node] {
        let ink = AnnotationTheme(stage: ground).ink
        let lines = (title?.lines ?? []).enumerated().map { row, line -> Node in
            let height = title?.lineHeight ?? 0
            let frame = Rect(
                x: titleFrame.x, y: titleFrame.y + height * Double(row), width: titleFrame.width, height: height)
            return .text(Text(line, frame: frame, fontSize: title?.fontSize ?? 0, color: ink, bold: true))
        }
        return lines + (mark.map { [.image(Image($0, frame: markFrame))] } ?? [])
    }
}
