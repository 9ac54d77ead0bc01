import Core

/// Compares the durations that headers declare, and that of the sound, with the frames.
enum DurationCheck {
    /// The minimum difference in seconds that a person notices in a player's time display.
    private static let minDifference = 0.1
    /// The minimum difference in regular intervals: containers round, and count the last frame
    /// differently.
    private static let minSteps = 2.5
    /// The minimum difference between sound and frames in seconds, and as a part of the clip.
    /// Encoders of sound add up to 0.1 s.
    private static let minSoundDifference = 0.5
    private static let minSoundPart = 0.1
    /// The part of the clip below which its sound is cut off. A longer one may fade out by design.
    private static let minSoundLength = 0.5

    static func findings(
        _ structure: FileStructure, _ survey: PacketSurvey, duration: Double, step: Double
    ) -> [Finding] {
        var findings: [Finding] = []
        var durations = structure.durations
        if let declared = structure.segmentSeconds, let end = survey.endTime {
            // Some writers count from the first frame instead of from 0.
            let length = end - (survey.startTime ?? 0)
            let actual = abs(declared - end) < abs(declared - length) ? end : length
            durations.append(.init(header: "Segment", declared: declared, actual: actual, step: step))
        }
        for duration in durations {
            let limit = max(minDifference, minSteps * max(step, duration.step))
            guard abs(duration.declared - duration.actual) > limit else { continue }
            findings.append(
                Finding(
                    .headerDuration, .error,
                    "the \(duration.header) header declares \(decimal(duration.declared)) s instead of "
                        + "\(decimal(duration.actual)) s; write the file again (ffmpeg -c copy)"))
            break
        }
        if let sound = structure.soundSeconds ?? survey.soundSeconds {
            findings += soundFindings(sound, duration)
        }
        return findings
    }

    private static func soundFindings(_ sound: Double, _ duration: Double) -> [Finding] {
        guard abs(sound - duration) > max(minSoundDifference, minSoundPart * duration) else { return [] }
        let isLonger = sound > duration
        return [
            Finding(
                .audioLength, isLonger || sound < minSoundLength * duration ? .error : .warning,
                "the audio lasts \(decimal(sound)) s, but the frames last \(decimal(duration)) s; "
                    + (isLonger ? "cut the audio (ffmpeg -shortest)" : "use audio as long as the clip"))
        ]
    }
}
