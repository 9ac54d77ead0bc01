import Core

/// The check of the declared durations, and of the duration of the sound, against the frames.
enum DurationCheck {
    /// The minimum difference in seconds that a person notices in a player's time display.
    private static let minDifference = 0.1
    /// The minimum difference in regular intervals: containers round, and count the last frame
    /// differently.
    private static let minIntervals = 2.5
    /// The minimum difference between the ends of the sound and the frames in seconds, and as a
    /// share of the clip.
    /// Audio encoders add up to 0.1 s.
    private static let minSoundDifference = 0.5
    private static let minSoundDifferenceShare = 0.1
    /// Sound that ends before this share of the clip was cut off, which is an error. Longer sound
    /// may end early by design, which is a warning.
    private static let minSoundShare = 0.5

    static func findings(
        _ structure: FileStructure, _ survey: PacketSurvey, duration: Double, interval: Double, plannedSound: Double?
    ) -> [Finding] {
        var findings: [Finding] = []
        var durations = structure.durations
        if let declared = structure.segmentSeconds, let end = survey.endTime {
            // Some writers count from the first frame instead of from 0.
            let length = end - (survey.startTime ?? 0)
            let actual = abs(declared - end) < abs(declared - length) ? end : length
            durations.append(.init(header: "Segment", declared: declared, actual: actual, step: interval))
        }
        for header in durations {
            let limit = max(minDifference, minIntervals * max(interval, header.step))
            guard abs(header.declared - header.actual) > limit else { continue }
            findings.append(
                Finding(
                    .headerDuration, .error,
                    "the \(header.header) header declares \(decimal(header.declared)) s instead of "
                        + "\(decimal(header.actual)) s; write the file again (ffmpeg -c copy)"))
            // Headers usually repeat the same mistake.
            break
        }
        if let soundEnd = structure.soundEnd ?? survey.soundEnd {
            // A clip may be longer than the audio that it was rendered with.
            let isPlanned = plannedSound.map { abs(soundEnd - $0) <= minSoundDifference } ?? false
            let frameStart = structure.soundEnd == nil ? survey.frameStart : structure.frameStart
            if !isPlanned { findings += soundFindings(soundEnd, frameEnd: frameStart + duration) }
        }
        return findings
    }

    /// Returns the finding for sound that does not end with the frames. Both ends are in seconds
    /// from the start of the clip, because either may start late.
    private static func soundFindings(_ soundEnd: Double, frameEnd: Double) -> [Finding] {
        guard abs(soundEnd - frameEnd) > max(minSoundDifference, minSoundDifferenceShare * frameEnd) else { return [] }
        let isLonger = soundEnd > frameEnd
        return [
            Finding(
                .audioLength, isLonger || soundEnd < minSoundShare * frameEnd ? .error : .warning,
                "the audio ends at \(decimal(soundEnd)) s, but the frames end at \(decimal(frameEnd)) s; "
                    + (isLonger ? "cut the audio (ffmpeg -shortest)" : "use audio as long as the clip"))
        ]
    }
}
