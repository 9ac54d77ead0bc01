/// A kind of annotation that shows how a loader moves.
public enum AnnotationKind: String, CaseIterable, Sendable {
    /// The index and name of the phase, with a table of the objects' motion.
    case phases
    /// A timeline of all phases, with a playhead.
    case timeline
    /// Arrows along the objects' velocities, and signs for objects with directions of -1, 0 and +1.
    case vectors
    /// The objects' recent paths.
    case trail
    /// Faint copies of the loader at the start and end of the phase.
    case ghosts
    /// The names of objects and construction points, and the construction's lines.
    case labels
    /// The model time.
    case clock
    /// A numbered grid in points of the canvas, for reading positions.
    case grid

    /// All kinds except the grid, which would hide parts of the others.
    public static let all: Set<AnnotationKind> = [.phases, .timeline, .vectors, .trail, .ghosts, .labels, .clock]

    /// Parses `all` or a comma-separated list such as `phases,clock`. A failure contains the first
    /// unknown word.
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

    /// An error for a word that is not the name of a kind.
    public struct UnknownName: Error, Hashable {
        public let name: String
    }
}
