import Core
import Render

extension JudgedRecording {
    /// The note about frames that are not judged.
    var samplingNotes: [Deviation] {
        guard view.step > 1 else { return [] }
        return [
            Deviation(
                kind: .sampling, size: Double(view.step), unit: "frames",
                text:
                    "only one in \(view.step) of the recording's \(survey.times.count) frames is judged; to judge all "
                    + "frames of a part, \(Hint.judgedTime)")
        ]
    }

    /// The note about a background of another colour.
    var backgroundNotes: [Deviation] {
        let expected = loader.background
        let actual = survey.background
        let distance = expected.distance(to: actual)
        guard distance > options.tolerance.color else { return [] }
        return [
            Deviation(
                kind: .background, size: distance, unit: "deltaE", expected: expected.hexString,
                actual: actual.hexString,
                text: "the background is \(actual.hexString) instead of \(expected.hexString)")
        ]
    }
}
