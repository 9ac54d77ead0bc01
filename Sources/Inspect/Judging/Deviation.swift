/// A difference between a recording and its loader, or a note about the recording.
package struct Deviation: Sendable {
    /// The kind of difference. The names are stable.
    package enum Kind: String, Sendable, Encodable, CaseIterable {
        // Time.
        case speed, phaseDuration, easing, late, frozen, missingFrames, swappedFrames, backwards
        // The loader as a whole, and its parameters.
        case parameter, size, position, mirrored, rotated
        // One element.
        case color, opacity, missing, extra, order, elementSize, elementPosition, lineWidth, lineCap
        // One layer of a Lottie file.
        case cornerRadius, anchorPoint, amplitude
        // A difference that no other kind explains.
        case unexplained
        // Notes.
        case background, lateStart, earlyEnd, sampling, scale
    }

    /// The kind of difference.
    package let kind: Kind
    /// The loader's object, parameter or element; nil for the whole loader.
    package var object: String?
    /// The name of the phase; nil if the difference is not confined to one.
    package var phase: String?
    /// The seconds of the recording in which the difference shows; nil for all.
    package var time: ClosedRange<Double>?
    /// The size of the difference in `unit`, never negative; nil if it has none.
    package var size: Double?
    /// `pt`, `s`, `frames`, `x` (a factor), `°`, `deltaE` (CIEDE2000) or the unit of a parameter.
    package var unit: String?
    /// The designed value.
    package var expected: String?
    /// The recorded value.
    package var actual: String?
    /// The finding in words, without the object's location in the file.
    package var text: String
    /// The share of all differences that would not be there without it, 0...1; 0 if unknown.
    package var weight: Double = 0
    /// True if another finding explains the same difference equally well.
    package var isAlternative = false

    /// True for a few frames with other content, which no change of the loader explains.
    var isFlash: Bool { kind == .unexplained && unit == "frames" }

    /// Returns deviations in groups: each one with its alternatives.
    static func groups(_ deviations: [Deviation]) -> [[Deviation]] {
        deviations.reduce(into: []) { groups, deviation in
            if deviation.isAlternative, !groups.isEmpty {
                groups[groups.count - 1].append(deviation)
            } else {
                groups.append([deviation])
            }
        }
    }
}
