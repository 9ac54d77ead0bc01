import Core
import Render

/// Doubts about a reconstruction, and the limits for reporting them or refusing it.
extension Reconstruction {
    /// The minimum PSNR in dB, over the drawn pixels, of shapes that were understood, and the PSNR
    /// below which the user is warned. Of recordings drawn by Skia (`test-judge --analyze`), the
    /// correct shapes agree to 31 dB or more, and to 24 dB after strong compression. Most others
    /// agree to less than 22 dB.
    private static let minFidelity = 23.0
    private static let goodFidelity = 30.0

    /// Returns what could not be read from a clip.
    ///
    /// - Parameter imageTime: the time of the first gradient or image; nil if there is none.
    static func gaps(_ scan: ClipScan, _ timing: ClipTiming, imageTime: Double?) -> [ReconstructionGap] {
        var gaps: [ReconstructionGap] = []
        if let time = imageTime {
            gaps.append(ReconstructionGap(text: "a gradient or image is replaced by its mean colour", time: time))
        }
        if let color = scan.faintColor?.color {
            let text = "an area of \(color.hexString.prefix(7)) is too faint to be read, and is left out"
            gaps.append(ReconstructionGap(text: text, time: timing.times.first ?? 0))
        }
        if let limit = scan.exceededLimit {
            gaps.append(
                ReconstructionGap(
                    text: "\(limit), so the rest is missing; use a shorter clip", time: timing.times.last ?? 0))
        }
        return gaps
    }

    /// Compares the area of objects with the tracks that show them. Returns the first difference;
    /// empty if there is none.
    static func doubtfulOverlap(
        _ objects: [ReconstructedObject], _ tracks: [ShapeTrack], _ scan: ClipScan, _ timing: ClipTiming
    ) -> [ReconstructionGap] {
        let check = ReconstructionCheck(
            tracks, over: scan.background, times: timing.times, duration: timing.duration, pixel: 1 / scan.view.scale)
        guard let first = check.firstMisunderstood(objects) else { return [] }
        let name = name(of: objects, near: first.center, at: first.time)
        let text = "\(name) is not understood: the shapes cover only \(percent(first.share))% of what is seen"
        return [ReconstructionGap(text: text, time: first.time, isMisunderstood: true)]
    }

    private static func percent(_ share: Double) -> Int { Int((share * 100).rounded()) }

    /// Draws objects and compares them with a clip. Returns what looks different, and the PSNR in
    /// dB over the drawn pixels.
    static func doubtfulFidelity(
        _ objects: [ReconstructedObject], _ reader: ClipReader, _ scan: ClipScan, _ timing: ClipTiming
    ) throws -> (gaps: [ReconstructionGap], decibels: Double) {
        let fidelity = try ReconstructionFidelity(
            objects, over: scan.background.color, reader, duration: timing.duration)
        func gap(_ difference: VisibleDifference, _ text: String) -> ReconstructionGap {
            let name = name(of: objects, near: difference.center, at: difference.time)
            return ReconstructionGap(
                text: "\(name) is not understood: \(text)", time: difference.time, isMisunderstood: true)
        }
        var gaps: [ReconstructionGap] = []
        if fidelity.decibels < minFidelity {
            let text =
                "drawn again, the shapes agree with the clip to \(Int(fidelity.decibels)) dB over what is drawn, and "
                + "\(Int(minFidelity)) dB are needed"
            gaps.append(gap(fidelity.worst, text))
        }
        if let different = fidelity.different {
            let (x, y) = (Int(different.center.x.rounded()), Int(different.center.y.rounded()))
            let text = "\(percent(different.share))% of what is drawn looks different, around (\(x), \(y))"
            gaps.append(gap(different, text))
        }
        if let tinted = fidelity.tinted {
            gaps.append(gap(tinted, "\(percent(tinted.share))% of what is drawn has another colour"))
        }
        guard gaps.isEmpty, fidelity.decibels < goodFidelity else { return (gaps, fidelity.decibels) }
        let worst = name(of: objects, near: fidelity.worst.center, at: fidelity.worst.time)
        let text = "\(worst): the loader agrees with the clip to only \(Int(fidelity.decibels)) dB over what is drawn"
        return ([ReconstructionGap(text: text, time: fidelity.worst.time)], fidelity.decibels)
    }

    /// Returns the name of the visible object nearest to a point; `the clip` if none is visible.
    private static func name(of objects: [ReconstructedObject], near center: Point, at time: Double) -> String {
        let found = objects.compactMap { object -> (name: String, distance: Double)? in
            let isVisible = object.opacity.value(at: time) > 0
            guard isVisible, let box = Rect(enclosing: object.polygons(at: time).flatMap { $0 }) else { return nil }
            let nearest = Point(min(max(center.x, box.x), box.maxX), min(max(center.y, box.y), box.maxY))
            return (object.name, nearest.distance(to: center))
        }
        return found.min { $0.distance < $1.distance }?.name ?? "the clip"
    }

    /// Returns the error for a clip of which a part was misunderstood.
    static func refusal(_ gap: ReconstructionGap, _ reader: ClipReader) -> LoadervidError {
        LoadervidError(
            .badData,
            "\(reader.path): from \(gap.time.roundedToThousandths) s: \(gap.text); use a clip of plain, opaque shapes")
    }

    /// Returns a note on an object whose keyframes miss the measured values; nil for others.
    static func doubt(_ object: ReconstructedObject, _ pixel: Double) -> ReconstructionGap? {
        guard object.isVisiblyOff(pixel: pixel) else { return nil }
        return ReconstructionGap(
            text:
                "\(object.name) is not understood: its motion is up to \(object.deviation.distance.roundedToThousandths) px off",
            time: object.deviation.time, isMisunderstood: true)
    }
}
