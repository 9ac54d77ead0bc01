import Core
import Render

/// Doubts about a reconstruction, and the limits for reporting them or refusing it.
extension Reconstruction {
    /// The median share of the covered area that the clip and the reconstruction must have in
    /// common. Below it, most of what moves was misunderstood.
    private static let minOverlap = 0.6
    /// The minimum PSNR in dB, over what is drawn, of shapes that were understood, and the PSNR
    /// below which the user is warned. Encoding, and polygons in place of round caps, leave 20 to
    /// 25 dB.
    private static let minFidelity = 16.0
    private static let goodFidelity = 19.0
    /// The deviation in pixels of the view, and as a share of the object's size, that is seen.
    private static let maxDeviation = (pixels: 2.0, share: 0.08)

    /// Returns what could not be read from a clip.
    static func gaps(_ scan: ClipScan, _ timing: ClipTiming) -> [ReconstructionGap] {
        var gaps: [ReconstructionGap] = []
        if let time = scan.firstImageTime {
            gaps.append(ReconstructionGap(text: "a gradient or image is replaced by its mean colour", time: time))
        }
        if let limit = scan.exceededLimit {
            gaps.append(
                ReconstructionGap(
                    text: "\(limit), so the rest is missing; use a shorter clip", time: timing.times.last ?? 0))
        }
        return gaps
    }

    /// Compares the area of objects with what moves. Throws `LoadervidError` if most of it was
    /// misunderstood, and returns a note if some of it was.
    static func doubtfulOverlap(
        _ objects: [ReconstructedObject], _ reader: ClipReader, _ timing: ClipTiming
    ) throws -> [ReconstructionGap] {
        let check = ReconstructionCheck(timing.tracks, times: timing.times, duration: timing.duration)
        let overlap = check.overlap(objects)
        guard overlap.median >= minOverlap else {
            throw LoadervidError(
                .badData,
                "\(reader.path): not understood: its shapes cover only \(percent(overlap.median))% of what is seen; "
                    + "use a clip of plain shapes")
        }
        guard let first = overlap.first else { return [] }
        let text = "not understood: the shapes cover only \(percent(first.share))% of what is seen"
        return [ReconstructionGap(text: text, time: first.time, isMisunderstood: true)]
    }

    private static func percent(_ share: Double) -> Int { Int((share * 100).rounded()) }

    /// Draws objects and compares them with a clip. Throws `LoadervidError` if they look different,
    /// and returns a note if they look similar.
    static func doubtfulFidelity(
        _ objects: [ReconstructedObject], _ reader: ClipReader, _ scan: ClipScan, _ timing: ClipTiming
    ) throws -> [ReconstructionGap] {
        let fidelity = try ReconstructionFidelity(
            objects, over: scan.background.color, reader, duration: timing.duration)
        // Equal frames have an infinite PSNR.
        let decibels = Int(min(fidelity.decibels, 99))
        guard fidelity.decibels >= minFidelity else {
            throw LoadervidError(
                .badData,
                "\(reader.path): not understood: drawn again, its shapes agree with the clip to \(decibels) dB over "
                    + "what is drawn, and \(Int(minFidelity)) dB are needed; use a clip of plain, opaque shapes")
        }
        if let different = fidelity.different {
            let (x, y) = (Int(different.center.x.rounded()), Int(different.center.y.rounded()))
            let text =
                "not understood: \(percent(different.share))% of what is drawn looks different, around (\(x), \(y))"
            return [ReconstructionGap(text: text, time: different.time, isMisunderstood: true)]
        }
        if let tinted = fidelity.tinted {
            let text = "not understood: \(percent(tinted.share))% of what is drawn has another colour"
            return [ReconstructionGap(text: text, time: tinted.time, isMisunderstood: true)]
        }
        guard fidelity.decibels < goodFidelity else { return [] }
        let text = "the loader agrees with the clip to only \(decibels) dB over what is drawn"
        return [ReconstructionGap(text: text, time: fidelity.worstTime)]
    }

    /// Returns a note on an object whose keyframes miss what was measured; nil for others.
    static func doubt(_ object: ReconstructedObject, _ pixel: Double) -> ReconstructionGap? {
        guard
            object.deviation.distance > max(maxDeviation.pixels * pixel, maxDeviation.share * object.area.squareRoot())
        else { return nil }
        return ReconstructionGap(
            text:
                "\(object.name): not understood: its motion is up to \(object.deviation.distance.roundedToThousandths) px off",
            time: object.deviation.time, isMisunderstood: true)
    }
}
