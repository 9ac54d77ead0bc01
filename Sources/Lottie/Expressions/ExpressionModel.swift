import Core

/// The part of an animation that expressions can refer to: all compositions of the file.
struct ExpressionModel: Sendable {
    var compositions: [CompositionModel] = []
    /// The number of values of chains that can still be kept.
    private let remainingChainValues = Locked(LottieLimits.maxChainValues)

    init(compositions: [CompositionModel] = []) { self.compositions = compositions }

    /// Counts a value of a chain that is kept. Returns false if there are too many.
    func reserveChainValue() -> Bool {
        remainingChainValues.withLock { remaining in
            remaining -= 1
            return remaining >= 0
        }
    }

    /// Returns the index of the composition with a name, else of the one with that asset ID. Older
    /// exporters leave out the name of the main composition, which is then the one that is missing.
    func index(named name: String) -> Int? {
        compositions.firstIndex { $0.name == name } ?? index(id: name)
            ?? compositions.firstIndex { $0.path.isEmpty && $0.name.isEmpty }
    }

    func index(id: String) -> Int? { compositions.firstIndex { $0.id == id } }
}

/// A composition as expressions see it: the JSON of its layers, and the composition that is drawn.
final class CompositionModel: Sendable {
    /// The index in the model.
    let index: Int
    let id: String
    let name: String
    /// The path of the composition in the file; empty for the main one.
    let path: String
    let size: Size
    /// The duration in frames.
    let duration: Double
    let layers: [JSON]
    /// The paths of the layers in the file.
    private let layerPaths: [String]
    let markers: [(frame: Double, duration: Double, comment: String)]
    let composition: Composition
    /// The settings with which the file's properties are read.
    private let settings: ParseContext.Settings
    /// The properties that expressions have used, by path. They are parsed at first use, because
    /// expressions use few of a file's properties.
    private let properties = Locked<[String: any ExpressionProperty]>([:])

    init(_ field: Field, index: Int, size: Size?, of composition: Composition, in root: Field) throws {
        self.index = index
        self.composition = composition
        settings = field.context.settings
        id = field.id("id") ?? ""
        name = field.string("nm") ?? ""
        path = field.path
        self.size = try size ?? Size(root.number("w", or: 0), root.number("h", or: 0))
        let timed = field["op"] == nil ? root : field
        duration = try timed.number("op", or: 0) - timed.number("ip", or: 0)
        layers = field["layers"]?.items.map(\.json) ?? []
        layerPaths = layers.indices.map { [path] in path.isEmpty ? "layers[\($0)]" : "\(path).layers[\($0)]" }
        markers = try (field["markers"]?.items ?? []).prefix(LottieLimits.maxMarkers).map { marker in
            (try marker.number("tm", or: 0), try marker.number("dr", or: 0), marker.string("cm") ?? "")
        }.sorted { $0.0 < $1.0 }
    }

    /// Returns the path of a layer in the file.
    func layerPath(_ layer: Int) -> String { layerPaths[layer] }

    /// Returns the property at a path. Throws `EvaluationError` if it is not valid.
    ///
    /// - Parameter isClosed: true for a path that its item or mask closes, false for one that it
    ///   opens; nil if the path itself says so.
    func property(_ json: JSON, path: String, layer: Int, isClosed: Bool? = nil) throws -> any ExpressionProperty {
        if let known = properties.withLock({ $0[path] }) { return known }
        let context = ParseContext()
        context.isClosed = isClosed
        context.settings = settings
        context.owner = ExpressionOwner(
            composition: index, layer: layer, visibleFrames: composition.layers[layer].visibleFrames)
        let property: any ExpressionProperty
        do {
            property = try Self.property(Field(json, path: path, context: context))
        } catch {
            throw EvaluationError("uses an invalid property, \(path)")
        }
        properties.withLock { $0[path] = property }
        return property
    }

    private static func property(_ field: Field) throws -> any ExpressionProperty {
        if try field.isObject && field.flag("s") {
            return SplitPosition(x: try field.property("x", or: 0), y: try field.property("y", or: 0))
        }
        let value = field.isObject ? field["k"] : field
        let sample = value?.items.first.flatMap { $0.isObject ? $0["s"] ?? $0 : nil } ?? value
        if (sample?.isArray == true ? sample?.items.first : sample)?["v"] != nil {
            return try field.property(of: BezierContour.self)
        }
        // Only positions have spatial tangents (`to` and `ti`).
        if value?.items.contains(where: { $0["to"] != nil }) == true {
            let plane = try field.property(of: Point.self)
            guard let sample, sample.items.count > 2 else { return plane }
            return SpaceProperty(plane: plane, space: try field.property(of: [Double].self))
        }
        return try field.property(of: [Double].self)
    }
}

/// A position whose axes are properties of their own.
private struct SplitPosition: ExpressionProperty {
    let x: Property<Double>
    let y: Property<Double>

    var expression: Expression? { nil }
    var keyCount: Int { x.keyCount }
    func frameOfKeyframe(_ index: Int) -> Double { x.frameOfKeyframe(index) }

    func keyframedResult(at frame: Double) -> ExpressionResult {
        .numbers([x.keyframed(at: frame), y.keyframed(at: frame)])
    }

    func result(at frame: Double, in context: FrameContext) throws -> ExpressionResult {
        .numbers([x.value(at: frame, in: context), y.value(at: frame, in: context)])
    }

    func result(of loop: LoopExpression, at frame: Double, rate: Double) -> ExpressionResult {
        .numbers([loop.value(of: x, at: frame, rate: rate), loop.value(of: y, at: frame, rate: rate)])
    }
}
