/// How much a document may hold. Documents may come from strangers.
public struct DocumentLimits: Sendable, Hashable {
    /// Bytes of a file.
    public var fileBytes = 1 << 20
    /// Values in a file, aliases written out.
    public var nodes = 20_000
    /// Levels of nesting in a file, at most `mostDepth`.
    public var depth = 16

    /// Deeper nesting than this is never read, since reading takes stack.
    public static let mostDepth = 64

    /// The limits as documented.
    public init() {}
}
