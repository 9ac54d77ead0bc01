import Media
import Core
import Render
import Raster

/// The frames of a plan, as a decoded clip should show them.
final class ExpectedFrames {
    /// The plan that defines the frames.
    let plan: RenderPlan
    private let painter: PlanPainter
    /// The frames near the current one, by index.
    private var cache: [Int: Pixels] = [:]
    private var conversion: Conversion?

    /// The conversion to the clip's pixel format.
    private struct Conversion {
        let frame: VideoFrame
        let converter: any FrameConverter
        let reader: PixelReader
    }

    init(_ plan: RenderPlan) throws {
        self.plan = plan
        painter = try PlanPainter(plan)
    }

    /// Returns the frame at an index, converted to what the format of `decoded` can store; nil if
    /// there is no such frame.
    func pixels(ofFrame frame: Int, like decoded: DecodedFrame) throws -> Pixels? {
        guard (0..<plan.frameCount).contains(frame) else { return nil }
        if let pixels = cache[frame] { return pixels }
        cache = cache.filter { abs($0.key - frame) <= 2 }
        let conversion = try self.conversion ?? makeConversion(like: decoded)
        self.conversion = conversion
        let pixmap = try painter.draw(plan.subject.scenes(ofFrame: frame))
        try conversion.converter.convert(pixmap.data, stride: pixmap.stride, into: conversion.frame, boxes: nil)
        let converted = DecodedFrame(frame: conversion.frame, alpha: nil, time: nil, duration: 0, isKey: true)
        let pixels = try conversion.reader.pixels(converted)
        cache[frame] = pixels
        return pixels
    }

    /// Returns the conversion: to the clip's own format and matrix if possible, to a palette's
    /// on-or-off transparency for GIF, and to straight RGBA otherwise.
    private func makeConversion(like decoded: DecodedFrame) throws -> Conversion {
        let encoder = plan.encoder
        let reader = try PixelReader(width: plan.width, height: plan.height)
        if encoder.traits.needsColorHistogram {
            // Partial transparency is resolved before colours are counted.
            return Conversion(
                frame: try VideoFrame(width: plan.width, height: plan.height, format: .bgra),
                converter: try encoder.makeConverter(), reader: reader)
        }
        let format = decoded.frame.format
        let tags = decoded.frame.colorTags
        let matrices: [String?: ColorMatrix] = [
            "bt709": .bt709, "bt470bg": .bt601, "smpte170m": .bt601, nil: .bt601,
        ]
        let matrix = matrices[tags.matrix]
        let isDirect =
            !decoded.hasAlpha && !format.isRGB && format.isConvertible && (tags.range != "pc" || format.isFullRange)
        let target = isDirect && matrix != nil ? format : .rgba
        let frame = try VideoFrame(width: plan.width, height: plan.height, format: target)
        if target == format { frame.copyColorTags(from: decoded.frame) }
        return Conversion(
            frame: frame,
            converter: try PixelConverter(
                width: plan.width, height: plan.height, to: target, matrix: matrix ?? .bt709, gamut: encoder.gamut),
            reader: reader)
    }
}
