import Core

/// A reader of the main composition and the precompositions of a file.
struct CompositionReader {
    /// The assets by ID.
    private let assets: [String: Field]
    private let files: AssetFiles
    private let textSource: TextSource
    private let context: ParseContext
    /// A precomposition as it was read: one that no frame shows can have unsupported features,
    /// which are not recorded.
    private struct CompositionKey: Hashable {
        var id: String
        var isUnseen: Bool
    }

    /// The precompositions read so far.
    private var compositions: [CompositionKey: Composition] = [:]
    /// The number of levels of each composition, itself included.
    private var heights: [String: Int] = [:]
    /// The images read so far by path or data. Files that consist of images repeat some of them.
    private var imagesBySource: [String: Result<AssetFiles.Image, any Error>] = [:]
    /// The images read so far, by ID, with the errors of those that cannot be read.
    private var images: [String: Result<AssetFiles.Image, any Error>] = [:]
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
    /// - Parameter size: the size of the layer that shows the composition, if there is one.
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
        let matteNumbers = Set(try fields.compactMap { try $0.setMatte()?.source })
        for (position, field) in fields.enumerated() {
            let start = try field.inPoint
            context.owner = ExpressionOwner(
                composition: index, layer: position, visibleFrames: start..<max(start, try field.outPoint))
            let number = try field.layerNumber("ind")
            layers.append(try layer(field, isMatte: number.map(matteNumbers.contains) ?? false))
        }
        try LayerLinks(fields, context).connect(layers)
        let canvas = try size ?? Size(root.number("w", or: 0), root.number("h", or: 0))
        let composition = Composition(layers, size: canvas)
        models[index] = try CompositionModel(field, index: index, size: size, of: composition, in: root)
        return composition
    }

    /// Reads a layer.
    ///
    /// - Parameter isMatte: true if a Set Matte effect draws the layer even if it is hidden.
    private mutating func layer(_ field: Field, isMatte: Bool) throws -> Layer {
        let hadAbsoluteTangents = context.hasAbsoluteTangents
        defer { context.hasAbsoluteTangents = hadAbsoluteTangents }
        // lottie-web marks the layers whose tangents it has converted to points.
        context.hasAbsoluteTangents = try context.isConverted || field.flag("completed")
        var transform = try field["ks"].map { try LayerTransform(reading: $0) } ?? .identity
        let blendMode = try field.blendMode(allowsHardMix: true)
        transform.isAutoOriented = try field.flag("ao")
        let isCamera = try field.isCamera
        transform.depth = try field["ks"].flatMap { try LayerDepth(reading: $0, of: field, isRequired: isCamera) }
        if transform.depth != nil { context.noteFeature("3D layers") }
        // A hidden layer draws nothing, not even as a track matte, but it can be a parent.
        let isVisible = try !field.flag("hd")
        let isDrawn = (isVisible || isMatte) && !isCamera
        if isCamera, isVisible { context.noteFeature("cameras") }
        let drawing = isDrawn ? try drawing(of: field, transform) : Layer.Drawing()
        let isHidden = try field.flag("hd") || field.flag("td")
        return try Layer(reading: field, transform, blendMode, drawing: drawing, isHidden: isHidden)
    }

    private mutating func drawing(of field: Field, _ transform: LayerTransform) throws -> Layer.Drawing {
        let isOuterUnseen = context.isUnseen
        defer { context.isUnseen = isOuterUnseen }
        if try field["op"] == nil && field.integer("ty") != 3 {
            field.note("the layer\(field.name) has no out point (op), so it is not drawn")
        }
        context.isUnseen = try isOuterUnseen || isUnseen(field, transform)
        var drawing = Layer.Drawing()
        drawing.content = try content(field)
        drawing.masks = try LayerMask.all(reading: field)
        drawing.effects = try LayerEffect.all(reading: field)
        drawing.styles = try LayerStyle.all(reading: field)
        let matte = try field.integer("tt") ?? 0
        if matte > 4 { field["tt"]?.reportUnsupported("the track matte \(matte)") }
        if matte > 0 { context.noteFeature("mattes") }
        return drawing
    }

    /// Returns true if no frame shows the layer, not even as a matte.
    private func isUnseen(_ field: Field, _ transform: LayerTransform) throws -> Bool {
        let opacity = transform.opacity
        let start = try field.inPoint
        let end = try field.outPoint
        if end <= start || (opacity.isConstant && opacity.initial <= 0) { return true }
        guard nesting.isEmpty else { return false }
        return try end <= root.number("ip", or: 0) || start >= root.number("op", or: LottieLimits.maxNumber)
    }

    private mutating func content(_ field: Field) throws -> Layer.Content {
        guard let type = try field.integer("ty") else { throw field.error("the layer has no type (ty)") }
        switch type {
        case 0: return try precomposition(field).map { .composition($0) } ?? .null
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
        case 3, 13: return .null
        case 4:
            context.noteFeature("shapes")
            return .shapes(try ShapeGroup(reading: field, items: "shapes"))
        case 5: return .text(try TextModel(reading: field, textSource))
        // Audio is not rendered.
        case 6: return .null
        default:
            let names = [7: "video", 8: "image sequence", 9: "video", 15: "data"]
            field.reportUnsupported("a layer of type \(type)\(names[type].map { " (\($0))" } ?? "")\(field.name)")
            return .null
        }
    }

    /// Reads the composition that a layer shows; nil if the file does not have it.
    private mutating func precomposition(_ field: Field) throws -> Precomposition? {
        guard let id = field.id("refId"), let asset = assets[id] else {
            // As in lottie-web, the layer is empty.
            field.note(
                "the composition \(quoted(field.id("refId") ?? "")) (refId) does not exist, so the layer is empty; "
                    + "export the animation again with it")
            return nil
        }
        guard !nesting.contains(id) else { throw field.error("the composition \(quoted(id)) contains itself") }
        let tooDeep = field.error(
            "compositions are nested deeper than the maximum of \(LottieLimits.maxNesting) levels")
        guard nesting.count < LottieLimits.maxNesting else { throw tooDeep }
        let size = Size(try field.number("w", or: 0), try field.number("h", or: 0))
        let composition = try composition(asset, id: id, size: size)
        let height = heights[id] ?? 1
        guard nesting.count + height <= LottieLimits.maxNesting else { throw tooDeep }
        if let outer = nesting.last { heights[outer] = max(heights[outer] ?? 1, height + 1) }
        let stretch = try field.number("sr", or: 1)
        guard abs(stretch) >= 1e-3 else { throw field.error("the time stretch (sr) of \(stretch) is too close to 0") }
        context.noteFeature(field["tm"] == nil ? "precompositions" : "time remap")
        return Precomposition(
            composition: composition, size: size,
            startTime: try field.number("st", or: 0), stretch: stretch, timeRemap: try field.property("tm"))
    }

    /// Returns the composition of an asset, which is read once, or twice if it is first read for a
    /// layer that no frame shows.
    private mutating func composition(_ asset: Field, id: String, size: Size) throws -> Composition {
        let key = CompositionKey(id: id, isUnseen: context.isUnseen)
        if let known = compositions[CompositionKey(id: id, isUnseen: false)] ?? compositions[key] { return known }
        nesting.append(id)
        heights[id] = 1
        let composition = try composition(asset, size: size)
        compositions[key] = composition
        nesting.removeLast()
        return composition
    }

    /// Reads the image of an asset, unless another one has the same data. Throws `LottieError` if
    /// the images have too many pixels together.
    private mutating func read(_ asset: Field, id: String) throws -> Result<AssetFiles.Image, any Error> {
        let source = (asset.string("u") ?? "") + (asset.string("p") ?? id)
        if let equal = imagesBySource[source] { return equal }
        let result = Result { try files.image(asset, id: id) }
        imagesBySource[source] = result
        guard case .success(let image) = result else { return result }
        pixelCount += image.bitmap.width * image.bitmap.height
        guard pixelCount <= LottieLimits.maxPixels else {
            throw asset.error(
                "all images together have more than the maximum of \(LottieLimits.maxPixels) pixels; reduce their "
                    + "dimensions")
        }
        return result
    }

    private mutating func image(_ field: Field) throws -> Layer.Content {
        guard let id = field.id("refId"), let listed = assets[id] else {
            if context.isUnseen { return .null }
            throw field.error(
                "the image \(quoted(field.id("refId") ?? "")) (refId) does not exist; export the animation again with "
                    + "its images")
        }
        context.noteFeature("images")
        let asset = listed.replacedBySlot()
        let result = try images[id] ?? read(asset, id: id)
        images[id] = result
        if context.isUnseen, case .failure = result { return .null }
        let image = try result.get()
        let bitmap = image.bitmap
        if let note = image.note { asset.context.note(note) }
        func side(_ key: String, _ pixels: Int) throws -> Double {
            try asset.number(key, or: listed.number(key, or: Double(pixels)))
        }
        let size = Size(try side("w", bitmap.width), try side("h", bitmap.height))
        return .image(bitmap, size)
    }
}

extension Field {
    /// Returns the asset in the slot that this asset refers to (`sid`), or this asset if there is
    /// none.
    fileprivate func replacedBySlot() -> Field {
        guard let slot = string("sid") else { return self }
        context.noteFeature("slots")
        guard let value = context.slots?[slot]?["p"], value.isObject else { return self }
        return value
    }

    /// Returns the ID at a key. In some files it is a number.
    func id(_ key: String) -> String? {
        guard let field = self[key] else { return nil }
        switch field.json {
        case .string(let text): return text
        case .number(let number): return number.expressionText
        default: return nil
        }
    }
}
