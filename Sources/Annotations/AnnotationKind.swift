/// Something that can be added to a loader's picture to show how it moves.
public enum AnnotationKind: String, CaseIterable, Sendable {
    /// Number and name of the phase, with what every object does in it.
    case phases
    /// All phases in a row, with a mark at the present.
    case timeline
    /// Arrows along the objects' velocities, with signs for objects that only know -1, 0 and +1.
    case vectors
    /// Where the objects have been lately.
    case trail
    /// Pale pictures of the phase's beginning and end.
    case ghosts
    /// Names of objects and of the points of the construction, which thin lines connect.
    case labels
    /// The model time.
    case clock
    /// A grid with numbers by which positions are read, in points of the canvas.
    case grid

    /// All that go together. A grid is to measure by and hides what they show, so that it is asked for by its name.
    public static let all: Set<AnnotationKind> = [.phases, .timeline, .vectors, .trail, .ghosts, .labels, .clock]

    /// Reads `all`, or names between commas such as `phases,clock`. On failure tells the word that is no name.
    public static func set(from text: String) -> Result<Set<AnnotationKind>, UnknownName> {
        var kinds: Set<AnnotationKind> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            if word == "all" {
                kinds.formUnion(all)
                continue
            }
            guard let kind = AnnotationKind(rawValue: String(word)) else {
                return .failure(UnknownName(name: String(word)))
            }
            kinds.insert(kind)
        }
        return .success(kinds)
    }

    /// A word that names no kind.
    public struct UnknownName: Error, Hashable {
        /// The word.
        public let name: String
    }
}
