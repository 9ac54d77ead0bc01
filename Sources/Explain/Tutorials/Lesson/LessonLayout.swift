import Core
import Render

/// The layout of a lesson's frames in points.
///
/// The shorter side has 360 points, so that text has the same size in all shapes. The margins are a
/// twentieth of each side.
struct LessonLayout: Sendable {
    /// The size of the frame.
    let size: Size
    /// The area of the chapter's title, at the left, and the speed, at the right.
    let header: Rect
    /// The area of the loaders and of the side panel, which is beside or below them.
    let middle: Rect
    let phaseBar: Rect
    /// The area of the captions, which have up to two lines; of height 0 without them.
    let caption: Rect
    /// The area of the logo in the upper right corner; of size 0 without one.
    let mark: Rect

    /// The length of the shorter side in points.
    static let shorterSide = 360.0
    /// The space between areas in points.
    private static let gap = 8.0
    /// Maximum height of the logo above the speed in narrow frames, in points.
    private static let maxStackedMarkHeight = 17.0

    init(_ shape: FrameShape, hasCaptions: Bool, mark bitmap: Bitmap? = nil) {
        let (width, height) = shape.pixels
        let scale = Self.shorterSide / Double(min(width, height))
        size = Size(Double(width) * scale, Double(height) * scale)
        let safe = Rect(
            x: size.width / 20, y: size.height / 20, width: size.width * 0.9, height: size.height * 0.9)
        // In narrow frames the header has two lines, so that long titles fit.
        let lines = safe.width < 400 ? 2.0 : 1
        // A logo takes the first of two lines.
        var markSize = bitmap.map { Decoration.size(ofMark: $0, side: Self.shorterSide) } ?? Size(0, 0)
        if lines > 1 {
            let scale = min(1, Self.maxStackedMarkHeight / max(markSize.height, 1))
            markSize = Size(markSize.width * scale, markSize.height * scale)
        }
        mark = Rect(x: safe.maxX - markSize.width, y: safe.y, width: markSize.width, height: markSize.height)
        // The speed is to the left of a logo, or below it in a header of two lines.
        let hasMark = bitmap != nil
        let widthBeside = hasMark && lines == 1 ? markSize.width + Self.gap : 0
        let heightBelow = hasMark && lines > 1 ? 19.0 + Self.gap / 4 : 0
        header = Rect(
            x: safe.x, y: safe.y, width: safe.width - widthBeside,
            height: max(lines * 19, hasMark ? markSize.height.rounded(.up) + heightBelow : 0))
        let captionHeight = hasCaptions ? 2 * LessonStyle.lineHeight(LessonStyle.caption) : 0
        caption = Rect(x: safe.x, y: safe.maxY - captionHeight, width: safe.width, height: captionHeight)
        phaseBar = Rect(x: safe.x, y: caption.y - Self.gap - 10, width: safe.width, height: 10)
        middle = Rect(
            x: safe.x, y: header.maxY + Self.gap, width: safe.width, height: phaseBar.y - header.maxY - 2 * Self.gap)
    }

    /// Minimum width of the loaders' area beside a panel, in points: a smaller loader is hard to
    /// see. The minimum height above a panel is 0.7 of this.
    private static let minCanvasWidth = 94.0

    /// The areas of canvases and a panel.
    struct PanelArrangement {
        var canvases: [Rect]
        var panel: Rect?
        /// The square root of the area that the largest loader can have, in points.
        var loaderSize = 0.0

        /// True if viewers see the details of the loader: a quarter of the frame's shorter side.
        var showsLargeLoader: Bool { loaderSize >= LessonLayout.shorterSide / 4 }
    }

    /// Divides the middle area among canvases. For the parameters, see
    /// `arrange(canvases:reserve:panel:)`.
    func arrange(canvases: [Size], reserve: Size, isCloseUp: Bool = false) -> PanelArrangement {
        let areas = Self.divide(middle, among: canvases)
        guard areas.count == 1 else { return PanelArrangement(canvases: areas) }
        let factor = isCloseUp ? 1 : Self.boardFactor
        return PanelArrangement(canvases: [Self.board(of: canvases[0], in: areas[0], beside: reserve, factor)])
    }

    /// Divides the middle area among canvases and a panel in each of the panel's text sizes that
    /// fits, the best first.
    func arrangements(
        of panel: any SidePanel, canvases: [Size], reserve: Size, _ style: LessonStyle
    ) -> [PanelArrangement] {
        // The panel lays out its text in all sizes at once.
        var sizesByWidth: [Double: [Size]] = [:]
        func sizes(_ width: Double) -> [Size] {
            let sizes = sizesByWidth[width] ?? panel.sizes(width: width, style: style)
            sizesByWidth[width] = sizes
            return sizes
        }
        return sizes(middle.width).indices.compactMap { index in
            arrange(canvases: canvases, reserve: reserve) { sizes($0)[index] }
        }
    }

    /// Divides the middle area among canvases and a panel. Prefers larger canvases, and if those of
    /// two divisions are of similar size, the larger panel. Returns nil if the panel does not fit.
    ///
    /// - Parameters:
    ///   - canvases: the sizes of the canvases, which are scaled to their areas.
    ///   - reserve: the total width and height of the margins around each canvas for
    ///     annotations.
    ///   - panel: returns the size that the panel needs at a width.
    func arrange(canvases: [Size], reserve: Size, panel: (_ width: Double) -> Size) -> PanelArrangement? {
        let beside = middle.width - Self.gap
        var candidates: [PanelArrangement] = []
        // The widest panel leaves the loaders little room, and is for code in square frames.
        for share in [0.4, 0.5, 0.6, 0.7] where share < 0.7 || candidates.isEmpty {
            let width = (beside * share).rounded()
            let need = panel(width)
            guard need.width <= width, need.height <= middle.height, beside - width >= Self.minCanvasWidth else {
                continue
            }
            candidates.append(
                split(
                    canvases, area: Rect(x: middle.x, y: middle.y, width: beside - width, height: middle.height),
                    panel: Rect(x: middle.maxX - width, y: middle.y, width: width, height: middle.height)))
        }
        let need = panel(middle.width)
        let below = middle.height - Self.gap
        for share in [0.35, 0.45, 0.5, 0.55, 0.65] {
            let height = (below * share).rounded()
            guard need.width <= middle.width, need.height <= height, below - height >= Self.minCanvasWidth * 0.7 else {
                continue
            }
            candidates.append(
                split(
                    canvases, area: Rect(x: middle.x, y: middle.y, width: middle.width, height: below - height),
                    panel: Rect(x: middle.x, y: middle.maxY - height, width: middle.width, height: height)))
        }
        // Of arrangements with nearly the same scale, the one with the larger panel wins.
        func quality(_ arrangement: PanelArrangement) -> Double {
            let scale = Self.scale(of: canvases, in: arrangement.canvases, beside: reserve)
            let panelShare = arrangement.panel.map { ($0.width * $0.height) / (middle.width * middle.height) } ?? 0
            return scale * (0.75 + panelShare / 2)
        }
        guard var best = candidates.max(by: { quality($0) < quality($1) }) else { return nil }
        let area = canvases.map { $0.width * $0.height }.max() ?? 0
        // Names do not count, since they take little of the drawing's size.
        best.loaderSize = area.squareRoot() * Self.scale(of: canvases, in: best.canvases)
        return best
    }

    /// The height of a board relative to what its content needs. A close-up is not extended, since
    /// it has a margin of its own.
    private static let boardFactor = 1.5
    /// The minimum height of a board, as a share of its width.
    private static let minBoardHeight = 1.0

    /// Returns the board for content in an area: its full width, and in tall areas only as much of
    /// its height as keeps the board from being mostly empty.
    private static func board(of content: Size, in area: Rect, beside reserve: Size, _ factor: Double) -> Rect {
        let margin = 2 * gap
        let scale = min(
            (area.width - reserve.width - 2 * margin) / content.width,
            (area.height - reserve.height - 2 * margin) / content.height)
        let needed = content.height * scale + reserve.height + 2 * margin
        let height = min(area.height, max(minBoardHeight * area.width, factor * needed)).rounded()
        return Rect(x: area.x, y: area.y + (area.height - height) / 2, width: area.width, height: height)
    }

    /// Returns the part of a board that a title card of some height leaves.
    func below(cardHeight: Double, _ board: Rect) -> Rect {
        let top = header.maxY + cardHeight
        let y = max(board.y, top)
        return Rect(x: board.x, y: y, width: board.width, height: min(board.height, middle.maxY - y))
    }

    private func split(_ canvases: [Size], area: Rect, panel: Rect) -> PanelArrangement {
        PanelArrangement(canvases: Self.divide(area, among: canvases), panel: panel)
    }

    /// Divides an area into a row or a column of canvases, whichever allows a larger scale.
    private static func divide(_ frame: Rect, among canvases: [Size]) -> [Rect] {
        let count = Double(canvases.count)
        let width = (frame.width - gap * (count - 1)) / count
        let height = (frame.height - gap * (count - 1)) / count
        let row = canvases.indices.map {
            Rect(x: frame.x + Double($0) * (width + gap), y: frame.y, width: width, height: frame.height)
        }
        let column = canvases.indices.map {
            Rect(x: frame.x, y: frame.y + Double($0) * (height + gap), width: frame.width, height: height)
        }
        return scale(of: canvases, in: row) >= scale(of: canvases, in: column) ? row : column
    }

    /// Returns the scale at which all canvases fit their areas.
    private static func scale(of canvases: [Size], in frames: [Rect], beside reserve: Size = Size(0, 0)) -> Double {
        zip(canvases, frames).map { canvas, frame in
            min((frame.width - reserve.width) / canvas.width, (frame.height - reserve.height) / canvas.height)
        }.min() ?? 0
    }
}
