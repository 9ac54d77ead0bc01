/// A change between two clips, in words, with its time and position.
package struct ClipChange: Sendable, Hashable, Encodable {
    /// The kind of a change.
    package enum Kind: String, Sendable, Hashable, Encodable {
        /// An object is at another position.
        case position
        /// An object has another colour.
        case color
        /// An object has another opacity.
        case opacity
        /// An object has another size.
        case size
        /// An object is missing.
        case missing
        /// An object is new.
        case extra
        /// A few pixels differ.
        case spot
        /// The background differs.
        case background
        /// An area that is not a single object differs.
        case area
        /// Frames are missing, repeated or shown at another time.
        case time
    }

    /// The kind of the change.
    package let kind: Kind
    /// The change in words, with its time.
    package let text: String
    /// The times of the first and last frames in seconds.
    package let from: Double
    package let to: Double
    /// The first and last frames of the first clip, counted from 0.
    package let firstFrame: Int
    package let lastFrame: Int
    /// The bounds in the frame that differs most: left, top, width and height; empty for changes of
    /// time.
    package let box: [Int]
    /// The size of the change, by which changes are ordered: changed pixels times the fraction of
    /// the full range by which they differ, summed over frames.
    package let weight: Double
}

extension ClipChange {
    /// Returns the words for a range of frames, with their times in seconds unless they have none.
    static func when(_ times: ClosedRange<Double>?, _ frames: ClosedRange<Int>) -> String {
        let isSingle = frames.count == 1
        let words = isSingle ? "frame \(frames.lowerBound)" : "frames \(frames.lowerBound)-\(frames.upperBound)"
        guard let times else { return "in \(words)" }
        return isSingle
            ? "at \(decimal(times.lowerBound)) s (\(words))"
            : "from \(decimal(times.lowerBound)) to \(decimal(times.upperBound)) s (\(words))"
    }
}
