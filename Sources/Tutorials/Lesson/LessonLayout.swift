import Annotations
import Pipeline
import Scene

/// Where everything goes on a lesson's pictures, in points: the shorter side has 360, so that letters have one size in all
/// shapes, and margins of a twentieth stay free.
struct LessonLayout: Sendable {
    /// The whole picture.
    let size: Size
    /// The chapter's title at the left, the speed at the right.
    let header: Rect
    /// Stages and boards.
    let middle: Rect
    /// All phases with the present.
    let strip: Rect
    /// Two lines of captions.
    let caption: Rect
    /// A mark in the upper right corner, of no size without one.
    let mark: Rect

    /// The shorter side in points.
    static let shorterSide = 360.0
    private static let gap = 8.0
    private static let lowMark = 17.0

    init(_ shape: PictureShape, hasCaptions: Bool, mark picture: Bitmap? = nil) {
        let (width, height) = shape.pixels
        let scale = Self.shorterSide / Double(min(width, height))
        size = Size(Double(width) * scale, Double(height) * scale)
        let safe = Rect(
            x: size.width / 20, y: size.height / 20, width: size.width * 0.9, height: size.height * 0.9)
        // Narrow pictures take long titles in two lines.
        let lines = safe.width < 400 ? 2.0 : 1
        // Of two lines a mark takes the first.
        var corner = picture.map { Decoration.size(ofMark: $0, side: Self.shorterSide) } ?? Size(0, 0)
        if lines > 1 {
            let share = min(1, Self.lowMark / max(corner.height, 1))
            corner = Size(corner.width * share, corner.height * share)
        }
        mark = Rect(x: safe.maxX - corner.width, y: safe.y, width: corner.width, height: corner.height)
        // The speed is beside a mark, or where there are two lines, below it.
        let isMarked = picture != nil
        let aside = isMarked && lines == 1 ? corner.width + Self.gap : 0
        let below = isMarked && lines > 1 ? 19.0 + Self.gap / 4 : 0
        header = Rect(
            x: safe.x, y: safe.y, width: safe.width - aside,
            height: max(lines * 19, isMarked ? corner.height.rounded(.up) + below : 0))
        let captionHeight = hasCaptions ? 2 * LessonStyle.lineHeight(LessonStyle.caption) : 0
        caption = Rect(x: safe.x, y: safe.maxY - captionHeight, width: safe.width, height: captionHeight)
        strip = Rect(x: safe.x, y: caption.y - Self.gap - 10, width: safe.width, height: 10)
        middle = Rect(
            x: safe.x, y: header.maxY + Self.gap, width: safe.width, height: strip.y - header.maxY - 2 * Self.gap)
    }

    /// The smallest stage that is worth a look.
    private static let leastStage = 96.0

    /// Where stages and a board go.
    struct Arrangement {
        var stages: [Rect]
        var board: Rect?
    }

    /// Places stages of some sizes, and a board that needs some room, so that the stages are as large as can be; nil if the
    /// board has no room.
    ///
    /// - Parameter reserve: the room around each stage that notes take.
    func arrange(stages: [Size], reserve: Size, board: ((_ width: Double) -> Size)?) -> Arrangement? {
        guard let board else { return Arrangement(stages: Self.divide(middle, among: stages)) }
        let beside = middle.width - Self.gap
        var candidates: [Arrangement] = []
        for share in [0.4, 0.5, 0.6] {
            let width = (beside * share).rounded()
            let need = board(width)
            guard need.width <= width, need.height <= middle.height, beside - width >= Self.leastStage else { continue }
            candidates.append(
                split(
                    stages, stage: Rect(x: middle.x, y: middle.y, width: beside - width, height: middle.height),
                    board: Rect(x: middle.maxX - width, y: middle.y, width: width, height: middle.height)))
        }
        let need = board(middle.width)
        let below = middle.height - Self.gap
        for share in [0.35, 0.45, 0.55, 0.65] {
            let height = (below * share).rounded()
            guard need.width <= middle.width, need.height <= height, below - height >= Self.leastStage * 0.7 else {
                continue
            }
            candidates.append(
                split(
                    stages, stage: Rect(x: middle.x, y: middle.y, width: middle.width, height: below - height),
                    board: Rect(x: middle.x, y: middle.maxY - height, width: middle.width, height: height)))
        }
        // Among those of nearly the same scale the board may be larger.
        func quality(_ arrangement: Arrangement) -> Double {
            let scale = Self.scale(of: stages, in: arrangement.stages, beside: reserve)
            let room = arrangement.board.map { ($0.width * $0.height) / (middle.width * middle.height) } ?? 0
            return scale * (0.75 + room / 2)
        }
        return candidates.max { quality($0) < quality($1) }
    }

    private func split(_ stages: [Size], stage: Rect, board: Rect) -> Arrangement {
        Arrangement(stages: Self.divide(stage, among: stages), board: board)
    }

    /// Stages beside or above each other, whichever makes them larger.
    private static func divide(_ frame: Rect, among stages: [Size]) -> [Rect] {
        let count = Double(stages.count)
        let width = (frame.width - gap * (count - 1)) / count
        let height = (frame.height - gap * (count - 1)) / count
        let row = stages.indices.map {
            Rect(x: frame.x + Double($0) * (width + gap), y: frame.y, width: width, height: frame.height)
        }
        let column = stages.indices.map {
            Rect(x: frame.x, y: frame.y + Double($0) * (height + gap), width: frame.width, height: height)
        }
        return scale(of: stages, in: row) >= scale(of: stages, in: column) ? row : column
    }

    private static func scale(of stages: [Size], in frames: [Rect], beside reserve: Size = Size(0, 0)) -> Double {
        zip(stages, frames).map { stage, frame in
            min((frame.width - reserve.width) / stage.width, (frame.height - reserve.height) / stage.height)
        }.min() ?? 0
    }
}
