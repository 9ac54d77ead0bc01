import Animations
import Core

/// A title at the top of a frame and a mark, such as a logo, in the upper right corner.
package struct Decoration {
    /// The height of the title's area below the upper margin in points; 0 without a title.
    let headHeight: Double
    /// The width in points that the mark takes of the top line in a frame without a title's area;
    /// 0 otherwise.
    let trailingInset: Double
    private let title: TitleText?
    private let mark: Bitmap?
    private let markFrame: Rect
    private let titleFrame: Rect

    /// The maximum height of a mark as a fraction of the frame's shorter side.
    private static let maxMarkHeight = 1.0 / 14
    /// The maximum width of a mark as a multiple of its maximum height.
    private static let maxMarkAspect = 4.0

    /// Returns the size of a mark in points, in frames with a shorter side of `side` points.
    package static func size(ofMark mark: Bitmap, side: Double) -> Size {
        let width = Double(mark.width)
        let height = Double(mark.height)
        let scale = min(side * maxMarkHeight * maxMarkAspect / width, side * maxMarkHeight / height)
        return Size(width * scale, height * scale)
    }

    /// Throws `LoadervidError` if the title does not fit.
    ///
    /// - Parameters:
    ///   - size: the size of the frame in points. If the title makes the frame higher, the size
    ///     without the title.
    ///   - safe: the area within the frame's margins.
    ///   - isApart: true to give a mark its own line even without a title.
    init(title text: String?, mark: Bitmap?, size: Size, safe: Rect, isApart: Bool = false) throws {
        let side = min(size.width, size.height)
        let extent = mark.map { Self.size(ofMark: $0, side: side) }
        self.mark = mark
        let gap = side / 40
        markFrame = Rect(
            x: safe.maxX - (extent?.width ?? 0), y: safe.y, width: extent?.width ?? 0, height: extent?.height ?? 0)
        let taken = extent.map { $0.width + gap } ?? 0
        guard let text else {
            title = nil
            titleFrame = safe
            let hasOwnLine = isApart && mark != nil
            headHeight = hasOwnLine ? Self.roundedHeight(markFrame.height + gap) : 0
            trailingInset = hasOwnLine ? 0 : taken
            return
        }
        let title = try TitleText(text, width: safe.width - taken, maxHeight: size.height / 3, side: side)
        self.title = title
        titleFrame = Rect(x: safe.x, y: safe.y, width: safe.width - taken, height: title.height)
        headHeight = Self.roundedHeight(max(title.height, markFrame.height) + gap)
        trailingInset = 0
    }

    /// Rounds a height up to a multiple of four points, so that frames have even sides in pixels at
    /// all common scales.
    private static func roundedHeight(_ height: Double) -> Double { (height / 4).rounded(.up) * 4 }

    /// Returns the title and the mark, with a text colour that contrasts with `background`.
    func nodes(on background: Color) -> [Node] {
        let ink = AnnotationTheme(background: background).ink
        let lines = (title?.lines ?? []).enumerated().map { row, line -> Node in
            let height = title?.lineHeight ?? 0
            let frame = Rect(
                x: titleFrame.x, y: titleFrame.y + height * Double(row), width: titleFrame.width, height: height)
            let text = DrawnText.text(line)
            return .text(Text(text, frame: frame, fontSize: title?.fontSize ?? 0, color: ink, bold: true))
        }
        return lines + (mark.map { [.image(Image($0, frame: markFrame))] } ?? [])
    }
}
