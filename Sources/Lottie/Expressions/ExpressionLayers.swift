import Core

/// Compositions and layers in expressions.
extension ExpressionInterpreter {
    /// The time in the composition, in seconds.
    var time: Double { frame / context.rate }

    /// Returns the layer of the expression. Throws `EvaluationError` outside of layers.
    func ownLayer() throws -> ExpressionReference {
        let owner = try ownProperty()
        return layer(at: try layerIndex(owner), in: owner.composition)
    }

    private func layer(at index: Int, in composition: Int) -> ExpressionReference {
        ExpressionReference(
            kind: .layer, composition: composition, layer: index,
            path: context.model.compositions[composition].layerPath(index))
    }

    func composition(_ index: Int) -> ExpressionReference {
        ExpressionReference(
            kind: .composition, composition: index, layer: nil, path: context.model.compositions[index].path)
    }

    func layerJSON(_ reference: ExpressionReference) throws -> JSON {
        try model(reference).layers[layerIndex(reference)]
    }

    /// Returns the layer with a number (`ind`), or else at that position, in the composition of a
    /// reference.
    func layer(numbered number: Double, in reference: ExpressionReference) throws -> ExpressionValue {
        let layers = model(reference).layers
        try charge(layers.count / 4)
        let position = Int(truncating: number) - 1
        let index =
            layers.firstIndex { $0["ind"]?.number == number } ?? (layers.indices.contains(position) ? position : nil)
        guard let index else { throw EvaluationError("has no layer \(number.expressionText)") }
        return .reference(layer(at: index, in: reference.composition))
    }

    // MARK: Compositions

    func compositionMember(_ reference: ExpressionReference, _ name: String) throws -> ExpressionValue? {
        let model = model(reference)
        switch name {
        case "width": return .number(model.size.width)
        case "height": return .number(model.size.height)
        case "duration": return .number(model.duration / context.rate)
        case "frameDuration": return .number(1 / context.rate)
        case "name": return .string(model.name)
        case "numLayers": return .number(Double(model.layers.count))
        case "displayStartTime": return .number(0)
        case "pixelAspect": return .number(1)
        case "marker":
            var markers = reference
            markers.kind = .markers
            return .reference(markers)
        default: return nil
        }
    }

    func callComposition(
        _ reference: ExpressionReference, _ name: String, _ arguments: [ExpressionValue]
    ) throws -> ExpressionValue? {
        guard name == "layer" else { return nil }
        switch arguments.first {
        case .string(let name)?:
            let layers = model(reference).layers
            try charge(layers.count / 4)
            guard let index = layers.firstIndex(where: { $0["nm"]?.text == name }) else {
                throw EvaluationError("has no layer \(quoted(name.singleLine(atMost: 40)))")
            }
            return .reference(layer(at: index, in: reference.composition))
        case .reference(let other)?:
            // A layer and an offset from it.
            let number = try layerJSON(other)["ind"]?.number ?? Double(layerIndex(other) + 1)
            return try layer(numbered: number + Self.number(arguments, 1, or: 0), in: reference)
        case let key?: return try layer(numbered: key.number, in: reference)
        case nil: throw EvaluationError("has no layer")
        }
    }

    func callMarkers(_ reference: ExpressionReference, _ name: String, _ arguments: [ExpressionValue]) throws
        -> ExpressionValue?
    {
        let markers = model(reference).markers
        try charge(markers.count / 4)
        let found: Int?
        switch name {
        case "key":
            if case .string(let comment)? = arguments.first {
                found = markers.firstIndex { $0.comment == comment }
            } else {
                found = Int(truncating: Self.number(arguments, 0)) - 1
            }
        case "nearestKey":
            let frame = Self.number(arguments, 0) * context.rate
            found = markers.indices.min { abs(markers[$0].frame - frame) < abs(markers[$1].frame - frame) }
        default: return nil
        }
        guard let found, markers.indices.contains(found) else { throw EvaluationError("has no such marker") }
        let marker = markers[found]
        return try object([
            "time": .number(marker.frame / context.rate), "duration": .number(marker.duration / context.rate),
            "comment": string(marker.comment), "index": .number(Double(found + 1)),
        ])
    }

    // MARK: Layers

    private static let transformNames: Set = [
        "anchorPoint", "position", "scale", "rotation", "opacity", "xPosition", "yPosition", "skew", "skewAxis",
        "xRotation", "yRotation", "zRotation", "orientation",
    ]

    /// The names that `layerMember` knows.
    static let layerNames = transformNames.union([
        "transform", "name", "_name", "index", "inPoint", "outPoint", "startTime", "width", "height", "hasParent",
        "parent", "active", "enabled", "timeRemap", "source", "text",
    ])

    func layerMember(_ reference: ExpressionReference, _ name: String) throws -> ExpressionValue? {
        let json = try layerJSON(reference)
        if Self.transformNames.contains(name) {
            return try groupMember(reference.inner(.layer, ".ks"), json["ks"] ?? .null, "tr", name)
        }
        func seconds(_ key: String, or frame: Double) -> ExpressionValue {
            .number((json[key]?.number ?? frame) / context.rate)
        }
        switch name {
        case "transform": return .reference(reference.inner(.group(json["ks"] ?? .null, type: "tr"), ".ks"))
        case "name", "_name": return .string(json["nm"]?.text ?? "")
        case "index": return .number(try json["ind"]?.number ?? Double(layerIndex(reference) + 1))
        case "inPoint": return seconds("ip", or: 0)
        case "outPoint": return seconds("op", or: model(reference).duration)
        case "startTime": return seconds("st", or: 0)
        case "width": return .number(try layerSize(reference).width)
        case "height": return .number(try layerSize(reference).height)
        case "hasParent": return .bool(json["parent"] != nil)
        case "parent":
            guard let number = json["parent"]?.number else { throw EvaluationError("has no parent") }
            return try layer(numbered: number, in: reference)
        case "active", "enabled":
            let layer = try model(reference).composition.layers[layerIndex(reference)]
            let isHidden = json["hd"] == .bool(true) || (json["hd"]?.number ?? 0) != 0
            return .bool(!isHidden && (name == "enabled" || layer.isVisible(at: frame)))
        case "timeRemap": return try property("tm", of: json, in: reference)
        case "source":
            guard let id = json["refId"]?.text, let index = context.model.index(id: id) else { return nil }
            return .reference(composition(index))
        case "text": return try object(["sourceText": text(json, reference)])
        default: return nil
        }
    }

    /// Returns the text of a text layer at the current frame.
    private func text(_ json: JSON, _ reference: ExpressionReference) throws -> ExpressionValue {
        guard let text = json["t"]?["d"], let keyframes = text["k"]?.items else { throw EvaluationError("has no text") }
        try charge(keyframes.count)
        if text["x"] != nil {
            let layer = try model(reference).composition.layers[layerIndex(reference)]
            guard case .text(let model) = layer.content, let computed = model.computedText else {
                throw EvaluationError.unsupported("sourceText of a hidden layer with an expression")
            }
            let isOwn = computed.expression?.path == expression.path
            let result = try isOwn ? computed.keyframedResult(at: frame) : computed.result(at: frame, in: context)
            return try string(computed.initial.replaced(by: result) ?? "")
        }
        let current = keyframes.last { ($0["t"]?.number ?? 0) <= frame } ?? keyframes.first
        return try string(current?["s"]?["t"]?.text ?? "")
    }

    /// Returns the keys of the size of a solid or a precomposition; nil for other layers.
    static func sizeKeys(_ json: JSON) -> (width: String, height: String)? {
        switch json["ty"]?.number {
        case 0: ("w", "h")
        case 1: ("sw", "sh")
        default: nil
        }
    }

    func layerSize(_ reference: ExpressionReference) throws -> Size {
        let model = model(reference)
        let json = try layerJSON(reference)
        switch try model.composition.layers[layerIndex(reference)].content {
        case .solid(_, let size), .image(_, let size): return size
        case .composition(let inner): return inner.size
        case .null, .shapes, .text: break
        }
        // A hidden layer has no content, but the size that the file states.
        guard let keys = Self.sizeKeys(json), let width = json[keys.width]?.number,
            let height = json[keys.height]?.number
        else { return model.size }
        return Size(width, height)
    }

    func callLayer(_ reference: ExpressionReference, _ name: String, _ arguments: [ExpressionValue]) throws
        -> ExpressionValue?
    {
        let json = try layerJSON(reference)
        func items(_ key: String) throws -> ExpressionValue {
            try call(reference.inner(.items(json[key]?.items ?? []), "." + key), arguments)
        }
        switch name {
        case "effect": return try items("ef")
        case "content": return try items("shapes")
        case "mask": return try items("masksProperties")
        case "toComp", "toWorld", "fromComp", "fromWorld", "toCompVec", "toWorldVec", "fromCompVec", "fromWorldVec",
            "fromCompToSurface":
            return try convert(arguments, name, reference)
        case "sourceRectAtTime": return try sourceRect(reference, arguments)
        default: return nil
        }
    }

    /// Returns a point or vector of the layer in the composition's coordinates, or the reverse.
    /// The world is the plane of the composition, so depth is 0.
    private func convert(
        _ arguments: [ExpressionValue], _ name: String, _ reference: ExpressionReference
    ) throws -> ExpressionValue {
        guard let point = arguments.first?.components, point.count >= 2 else { throw EvaluationError("lacks a point") }
        let frame = Self.number(arguments, 1, or: time) * context.rate
        let composition = model(reference).composition
        try charge(50)
        let renderer = CompositionRenderer(composition: composition, frame: frame, context: context)
        var matrix = try renderer.matrix(of: composition.layers[layerIndex(reference)])
        if name.hasSuffix("Vec") { (matrix.tx, matrix.ty) = (0, 0) }
        if name.hasPrefix("from") {
            let determinant = matrix.determinant
            guard determinant != 0 else { throw EvaluationError("converts to a layer with a scale of 0") }
            let (x, y) = (point[0] - matrix.tx, point[1] - matrix.ty)
            let result = [
                (x * matrix.d - y * matrix.c) / determinant, (y * matrix.a - x * matrix.b) / determinant,
            ]
            return try array(result + point.dropFirst(2).prefix(1))
        }
        let result = matrix.apply(Point(point[0], point[1]))
        return try array([result.x, result.y] + point.dropFirst(2).prefix(1))
    }
}
