import Animations
import Core

extension TimeFindings {
    /// The number of frames on each side of a rest whose median is the offset in time: a tenth of a
    /// second at 60 frames per second.
    private static let restReach = 6
    /// The distance of successive frames with certain times above which the loader rests between
    /// them. As in `minRest`, two uncertain frames are not a rest.
    private static let minGap = 3
    /// The largest change of the offset on one side of the rest, and the largest part of the jump
    /// that other durations of phases may leave, both relative to the jump. Another speed changes
    /// the offset within each motion, too.
    private static let maxDrift = 0.3

    /// The minimum number of frames of a rest. A slow motion becomes visible in its second or third
    /// frame.
    private static let minRest = 3

    /// Returns true if the loader hardly moves at the instants that most frames of a range show.
    func isRest(_ range: Range<Int>) -> Bool { 2 * range.count { evidence.isInformative[$0] } < range.count }

    /// Returns the first frame of a standstill that shows it. While the loader rests by design, a
    /// rest and a standstill look alike.
    func visibleStart(of range: Range<Int>) -> Int {
        guard let first = range.first(where: { frames[$0].isBehind }),
            first - range.lowerBound >= Self.minRest, isRest(range.lowerBound..<first)
        else { return range.lowerBound }
        return first
    }

    /// Returns the finding of frames that are missing while the loader rests: the motion after the
    /// rest comes earlier than designed, by the same time from then on. Returns nil unless there is
    /// exactly one such rest, because a phase or a speed that differs shortens each rest.
    func jumpInRest() -> Deviation? {
        let certain = certain
        let reach = Self.restReach
        guard jumps.isEmpty, standstills.isEmpty, certain.count > 2 * reach else { return nil }
        let frameTime = abs(speed) * step
        let rests = (reach...certain.count - reach).filter { position in
            position < certain.count && certain[position] - certain[position - 1] > Self.minGap
        }
        let direction: Double = speed < 0 ? -1 : 1
        let gains = rests.map { position in
            direction * (median(certain[position...].prefix(reach)) - median(certain[..<position].suffix(reach)))
        }
        let found = gains.indices.filter { abs(gains[$0]) > Self.minJump * frameTime }
        guard found.count == 1, let only = found.first, gains[only] > jumpTolerance else { return nil }
        let position = rests[only]
        let gain = gains[only]
        let sides = [certain[..<position], certain[position...]]
        guard sides.allSatisfy({ abs(median($0.suffix(reach)) - median($0.prefix(reach))) < Self.maxDrift * gain }),
            !isPhaseDuration(gain)
        else { return nil }
        let before = time(certain[position - 1])
        let after = time(certain[position])
        let count = Int((gain / abs(speed) / step * Double(sampling)).rounded())
        let seconds = [before, after].map { DeviationWriter.decimal($0) }
        return Deviation(
            kind: .missingFrames, time: before...after, size: Double(count), unit: "frames",
            text: "\(count) frame\(count == 1 ? "" : "s") missing in the rest from \(seconds[0]) to \(seconds[1]) s: "
                + "it is \(DeviationWriter.seconds(gain / abs(speed))) shorter")
    }

    private func median(_ frames: ArraySlice<Int>) -> Double { frames.map(lead).median ?? 0 }

    /// Returns true if phases of other durations explain the times of all frames.
    private func isPhaseDuration(_ gain: Double) -> Bool {
        let changed = durations.changedPhases
        return !changed.isEmpty && durations.residual(changed, at: options.speed) < Self.maxDrift * gain
    }
}
