import Media
import Motion
import Pipeline
import Raster

/// The pictures that a plan makes, as a decoded clip should show them.
final class ExpectedPictures {
    /// What makes them.
    let plan: RenderPlan
    private let painter: PlanPainter
    /// Pictures around the one that is compared, by their frames.
    private var drawn: [Int: Pixels] = [:]
    private var style: Style?

    /// How a clip's format holds pictures.
    private struct Style {
        let frame: VideoFrame
        let converter: any PictureConverter
        let reader: PixelReader
    }

    init(_ plan: RenderPlan) throws {
        self.plan = plan
        painter = try PlanPainter(plan)
    }

    /// The picture of a frame in the form that others like `picture` can hold; nil if there is no such frame.
    func pixels(ofFrame frame: Int, like picture: StreamPicture) throws -> Pixels? {
        guard (0..<plan.frameCount).contains(frame) else { return nil }
        if let pixels = drawn[frame] { return pixels }
        drawn = drawn.filter { abs($0.key - frame) <= 2 }
        let style = try self.style ?? makeStyle(like: picture)
        self.style = style
        let pixmap = try painter.draw(plan.subject.scenes(ofFrame: frame))
        try style.converter.convert(pixmap.data, stride: pixmap.stride, into: style.frame, boxes: nil)
        let held = StreamPicture(frame: style.frame, alpha: nil, time: nil, duration: 0, isKey: true)
        let pixels = try style.reader.pixels(held)
        drawn[frame] = pixels
        return pixels
    }

    /// The clip's own format with its matrix where that can be made; opaque pixels or none for such as know no others;
    /// straight RGBA for all others.
    private func makeStyle(like picture: StreamPicture) throws -> Style {
        let (encoder, reader) = (plan.encoder, try PixelReader(width: plan.width, height: plan.height))
        if encoder.traits.countsColors {
            // What is half transparent was decided before colours were counted.
            return Style(
                frame: try VideoFrame(width: plan.width, height: plan.height, format: .bgra),
                converter: try encoder.pictureConverter(), reader: reader)
        }
        let (format, tags) = (picture.frame.format, picture.frame.colorTags)
        let matrices: [String?: ColorMatrix] = [
            "bt709": .bt709, "bt470bg": .bt601, "smpte170m": .bt601, nil: .bt601,
        ]
        let matrix = matrices[tags.matrix]
        let isPlain =
            !picture.hasAlpha && !format.isRGB && format.isConvertible && (tags.range != "pc" || format.isFullRange)
        let target = isPlain && matrix != nil ? format : .rgba
        let frame = try VideoFrame(width: plan.width, height: plan.height, format: target)
        if target == format { frame.describeColors(like: picture.frame) }
        return Style(
            frame: frame,
            converter: try PixelConverter(
                width: plan.width, height: plan.height, to: target, matrix: matrix ?? .bt709, gamut: encoder.gamut),
            reader: reader)
    }
}
