import Core

/// Reads the main composition and the precompositions of a file.
struct CompositionReader {
    /// The assets by ID.
    private let assets: [String: Field]
    private let files: AssetFiles
    private let textSource: TextSource
    private let context: ParseContext
    /// The precompositions read so far, by ID.
    private var compositions: [String: Composition] = [:]
    /// The number of levels of each composition, itself included.
    private var heights: [String: Int] = [:]
    /// The images read so far, by ID.
    private var images: [String: Bitmap] = [:]
    /// The IDs of the precompositions being read, from the outermost to the innermost.
    private var nesting: [String] = []
    /// The number of pixels in all images read so far.
    private var pixelCount = 0
    private let root: Field
    /// The compositions for expressions; nil for those being read.
    private var models: [CompositionModel?] = []

    /// The compositions read so far, for expressions.
    var expressionModel: ExpressionModel { ExpressionModel(compositions: models.compactMap { $0 }) }

    init(root: Field, files: AssetFiles) throws {
        self.files = files
        self.root = root
        context = root.context
        var assets: [String: Field] = [:]
        for asset in root["assets"]?.items ?? [] { if let id = asset.id("id") { assets[id] = asset } }
        self.assets = assets
        textSource = try TextSource(reading: root)
    }

    /// Reads the composition with the layers of a root object or an asset. Throws `LottieError` if
    /// it is invalid.
    ///
    /// - Parameter size: The size of the layer that shows the composition, if there is one.
    mutating func composition(_ field: Field, size: Size? = nil) throws -> Composition {
        guard let list = field["layers"], list.isArray else {
            throw field.error("expected an array of layers (layers)")
        }
        let fields = list.items
        guard fields.count <= LottieLimits.maxLayers else {
            throw list.error("\(fields.count) layers; the maximum is \(LottieLimits.maxLayers)")
        }
        let index = models.count
        models.append(nil)
        let outer = context.owner
        defer { context.owner = outer }
        var layers: [Layer] = []
        for (position, field) in fields.enumerated() {
            context.owner = ExpressionOwner(composition: index, layer: position)
            layers.append(try layer(field))
        }
        try LayerLinks(fields, context).connect(&layers)
        let composition = Composition(layers)
        models[index] = try CompositionModel(field, index: index, size: size, of: composition, in: root)
        return composition
    }

    private mutating func layer(_ field: Field) throws -> Layer {
        let rawMatte = try field.integer("tt") ?? 0
        let isHidden = try field.flag("hd") || field.flag("td")
        let transform = try field["ks"].map { try LayerTransform(reading: $0) } ?? .identity
        let start = try field.number("ip", or: 0)
        let end = try field.number("op", or: LottieLimits.maxNumber)
        var layer = Layer(
            name: field.string("nm") ?? "", index: try field.layerNumber("ind"), start: start, end: end,
            transform: transform, content: .null, blendMode: try field.blendMode(allowsHardMix: true), masks: [],
            isHidden: isHidden, effects: [])
        layer.isHardMix = try field.integer("bm") == 17
        layer.transform.isAutoOriented = try field.flag("ao")
        try LayerTransform.reportDepth(of: field)
        // A hidden layer draws nothing, not even as a matte, but it can be a parent.
        let isVisible = try !field.flag("hd")
        guard isVisible else { return layer }
        layer.content = try content(field)
        layer.masks = try LayerMask.all(reading: field)
        layer.effects = try LayerEffect.all(reading: field)
        for style in field["sy"]?.items ?? [] { style.reportUnsupported("a layer style\(style.name)") }
        if rawMatte > 4 { field["tt"]?.reportUnsupported("the track matte \(rawMatte)") }
        if rawMatte > 0 { context.noteFeature("mattes") }
        return layer
    }

    private mutating func content(_ field: Field) throws -> Layer.Content {
        guard let type = try field.integer("ty") else { throw field.error("the layer has no type (ty)") }
        switch type {
        case 0: return .composition(try precomposition(field))
        case 1:
            // An empty colour is black, as in lottie-web.
            let color = try field["sc"].flatMap { text in
                guard text.json != .string("") else { return Color?.none }
                guard let color = Color(css: field.string("sc") ?? "") else {
                    throw text.error("expected a colour such as #ff0000")
                }
                return color
            }
            context.noteFeature("solids")
            return .solid(color ?? .black, Size(try field.number("sw", or: 0), try field.number("sh", or: 0)))
        case 2: return try image(field)
        case 3: return .null
        case 4:
            context.noteFeature("shapes")
            return .shapes(try ShapeGroup(reading: field, items: "shapes"))
        case 5: return .text(try TextModel(reading: field, textSource))
        // Audio is not rendered.
        case 6: return .null
        default:
            let names = [7: "video", 8: "image sequence", 9: "video", 13: "camera", 15: "data"]
            field.reportUnsupported("a layer of type \(type)\(names[type].map { " (\($0))" } ?? "")\(field.name)")
            return .null
        }
    }

    private mutating func precomposition(_ field: Field) throws -> Precomposition {
        guard let id = field.id("refId"), let asset = assets[id] else {
            throw field.error("there is no composition \(quoted(field.id("refId") ?? "")) (refId)")
        }
        guard !nesting.contains(id) else { throw field.error("the composition \(quoted(id)) contains itself") }
        let tooDeep = field.error(
            "compositions are nested deeper than the maximum of \(LottieLimits.maxNesting) levels")
        guard nesting.count < LottieLimits.maxNesting else { throw tooDeep }
        if compositions[id] == nil {
            nesting.append(id)
            heights[id] = 1
            compositions[id] = try composition(
                asset, size: Size(try field.number("w", or: 0), try field.number("h", or: 0)))
            nesting.removeLast()
        }
        let height = heights[id] ?? 1
        guard nesting.count + height <= LottieLimits.maxNesting else { throw tooDeep }
        if let outer = nesting.last { heights[outer] = max(heights[outer] ?? 1, height + 1) }
        guard let composition = compositions[id] else {
            throw field.error("the composition \(quoted(id)) cannot be read")
        }
        let stretch = try field.number("sr", or: 1)
        guard abs(stretch) >= 1e-3 else { throw field.error("the time stretch (sr) of \(stretch) is too close to 0") }
        context.noteFeature(field["tm"] == nil ? "precompositions" : "time remap")
        return Precomposition(
            composition: composition, size: Size(try field.number("w", or: 0), try field.number("h", or: 0)),
            startTime: try field.number("st", or: 0), stretch: stretch, timeRemap: try field.property("tm"))
    }

    private mutating func image(_ field: Field) throws -> Layer.Content {
        guard let id = field.id("refId"), let asset = assets[id] else {
            throw field.error("there is no image \(quoted(field.id("refId") ?? "")) (refId)")
        }
        context.noteFeature("images")
        let bitmap = try images[id] ?? files.image(asset)
        if images.updateValue(bitmap, forKey: id) == nil { pixelCount += bitmap.width * bitmap.height }
        guard pixelCount <= LottieLimits.maxPixels else {
            throw asset.error("all images together have more than the maximum of \(LottieLimits.maxPixels) pixels")
        }
        let size = Size(
            try asset.number("w", or: Double(bitmap.width)), try asset.number("h", or: Double(bitmap.height)))
        return .image(bitmap, size)
    }
}

extension Field {
    /// Returns the ID at a key. In some files it is a number.
    func id(_ key: String) -> String? {
        guard let field = self[key] else { return nil }
        switch field.json {
        case .string(let text): return text
        case .number(let number): return "\(number)"
        default: return nil
        }
    }
}
