import Scene

/// Where texts get their letters from.
struct TextSource {
    init(reading root: Field) throws {}
}

/// A text layer.
struct TextModel: Sendable {
    init(reading field: Field, _ source: TextSource) throws {
        field.refuse("a text layer\(field.name)")
    }

    var work: Int { 0 }

    func nodes(at frame: Double, rate: Double) -> [Node] { [] }
}
