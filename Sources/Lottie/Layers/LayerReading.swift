import Motion
import Scene

/// Reads compositions.
struct CompositionReader {
    /// Assets by their names.
    private let assets: [String: Field]
    private let files: AssetFiles
    private let texts: TextSource
    private let log: ReadingLog
    private var known: [String: Composition] = [:]
    private var images: [String: Bitmap] = [:]
    private var nesting: [String] = []
    private var pixels = 0

    init(root: Field, files: AssetFiles) throws {
        (self.files, log) = (files, root.log)
        var assets: [String: Field] = [:]
        for asset in root["assets"]?.items ?? [] { if let id = asset.id("id") { assets[id] = asset } }
        self.assets = assets
        texts = try TextSource(reading: root)
    }

    /// The composition whose layers are in a field's list.
    mutating func composition(_ field: Field) throws -> Composition {
        guard let list = field["layers"], list.isArray else { throw field.error("no layers here (layers)") }
        let fields = list.items
        guard fields.count <= LottieLimits.mostLayers else {
            throw list.error("\(fields.count) layers; there can be \(LottieLimits.mostLayers) at most")
        }
        var layers: [Layer] = []
        for field in fields { layers.append(try layer(field)) }
        try connect(&layers, fields)
        return Composition(layers)
    }

    private mutating func layer(_ field: Field) throws -> Layer {
        let rawMatte = try field.integer("tt") ?? 0
        let isHidden = try field.flag("hd") || field.flag("td")
        let transform = try field["ks"].map { try LayerTransform(reading: $0) } ?? .identity
        let (start, end) = (try field.number("ip", or: 0), try field.number("op", or: LottieLimits.largestNumber))
        var layer = Layer(
            name: field.string("nm") ?? "", index: try field.integer("ind"), start: start, end: end,
            transform: transform, content: .null, blendMode: try field.blendMode(), masks: [], isHidden: isHidden,
            effects: [])
        layer.transform.isAutoOriented = try field.flag("ao")
        try LayerTransform.refuseDepth(of: field)
        // What is not seen needs no contents, but others may hang on it.
        let isSeen = try !field.flag("hd")
        guard isSeen else { return layer }
        layer.content = try content(field)
        layer.masks = try LayerMask.all(reading: field)
        layer.effects = try LayerEffect.all(reading: field)
        for style in field["sy"]?.items ?? [] { style.refuse("a layer style\(style.name)") }
        if rawMatte > 4 { field["tt"]?.refuse("the track matte \(rawMatte)") }
        if rawMatte > 0 { log.use("mattes") }
        return layer
    }

    private mutating func content(_ field: Field) throws -> Layer.Content {
        let type = try field.integer("ty") ?? -1
        switch type {
        case 0: return .composition(try precomposition(field))
        case 1:
            let color = try field["sc"].map { color in
                guard let color = Color(css: field.string("sc") ?? "") else {
                    throw color.error("a colour is expected")
                }
                return color
            }
            log.use("solids")
            return .solid(color ?? .black, Size(try field.number("sw", or: 0), try field.number("sh", or: 0)))
        case 2: return try image(field)
        case 3: return .null
        case 4:
            log.use("shapes")
            return .shapes(try ShapeGroup(reading: field, items: "shapes"))
        case 5: return .text(try TextModel(reading: field, texts))
        // Sound is heard elsewhere.
        case 6: return .null
        default:
            let names = [7: "video", 8: "image sequence", 9: "video", 13: "camera", 15: "data"]
            field.refuse("a layer of type \(type)\(names[type].map { " (\($0))" } ?? "")\(field.name)")
            return .null
        }
    }

    private mutating func precomposition(_ field: Field) throws -> Precomposition {
        guard let id = field.id("refId"), let asset = assets[id] else {
            throw field.error("there is no composition '\((field.id("refId") ?? "").prefix(60))' (refId)")
        }
        guard !nesting.contains(id) else { throw field.error("the composition '\(id.prefix(60))' holds itself") }
        guard nesting.count < LottieLimits.mostNesting else {
            throw field.error("compositions are nested deeper than \(LottieLimits.mostNesting) levels")
        }
        if known[id] == nil {
            nesting.append(id)
            known[id] = try composition(asset)
            nesting.removeLast()
        }
        guard let composition = known[id] else {
            throw field.error("the composition '\(id.prefix(60))' cannot be read")
        }
        let stretch = try field.number("sr", or: 1)
        guard abs(stretch) >= 1e-3 else { throw field.error("a stretch (sr) of \(stretch)") }
        log.use(field["tm"] == nil ? "precompositions" : "time remap")
        return Precomposition(
            composition: composition, size: Size(try field.number("w", or: 0), try field.number("h", or: 0)),
            startTime: try field.number("st", or: 0), stretch: stretch, timeRemap: try field.property("tm"))
    }

    private mutating func image(_ field: Field) throws -> Layer.Content {
        guard let id = field.id("refId"), let asset = assets[id] else {
            throw field.error("there is no image '\((field.id("refId") ?? "").prefix(60))' (refId)")
        }
        log.use("images")
        let bitmap = try images[id] ?? files.image(asset)
        if images.updateValue(bitmap, forKey: id) == nil { pixels += bitmap.width * bitmap.height }
        guard pixels <= LottieLimits.mostPixels else {
            throw asset.error("images of more than \(LottieLimits.mostPixels) pixels in all")
        }
        let size = Size(
            try asset.number("w", or: Double(bitmap.width)), try asset.number("h", or: Double(bitmap.height)))
        return .image(bitmap, size)
    }

    /// Finds parents and mattes by their numbers.
    private func connect(_ layers: inout [Layer], _ fields: [Field]) throws {
        var places: [Int: Int] = [:]
        for (place, layer) in layers.enumerated() { if let index = layer.index { places[index] = place } }
        for (place, field) in fields.enumerated() {
            if let parent = try field.integer("parent") {
                guard let found = places[parent] else { throw field.error("there is no layer \(parent) (parent)") }
                layers[place].parent = found
                log.use("parents")
            }
            let mode = try field.integer("tt") ?? 0
            guard (1...4).contains(mode) else { continue }
            // Without a number it is the layer above.
            let number = try field.integer("tp")
            if let number, places[number] == nil { throw field.error("there is no layer \(number) (tp)") }
            let source = number.flatMap { places[$0] } ?? place - 1
            guard layers.indices.contains(source), source != place else { throw field.error("a matte without a layer") }
            layers[place].matte = Layer.Matte(source: source, isLuma: mode > 2, isInverted: mode % 2 == 0)
            layers[source].isHidden = true
        }
        for place in layers.indices {
            var (current, steps) = (layers[place].parent, 0)
            while let parent = current {
                steps += 1
                guard parent != place else { throw fields[place].error("a layer that hangs on itself (parent)") }
                guard steps <= LottieLimits.mostParents else {
                    throw fields[place].error("a layer with more than \(LottieLimits.mostParents) parents")
                }
                current = layers[parent].parent
            }
            var matte = layers[place].matte?.source
            steps = 0
            while let source = matte {
                steps += 1
                guard steps <= LottieLimits.mostNesting else {
                    throw fields[place].error(
                        "a layer that is its own matte, or of more than \(LottieLimits.mostNesting) mattes in a row (tp)"
                    )
                }
                matte = layers[source].matte?.source
            }
        }
    }
}

extension Field {
    /// A name, which some files have as a number.
    func id(_ key: String) -> String? {
        guard let field = self[key] else { return nil }
        switch field.json {
        case .string(let text): return text
        case .number(let number): return "\(number)"
        default: return nil
        }
    }
}

extension LayerMask {
    static func all(reading layer: Field) throws -> [LayerMask] {
        var masks: [LayerMask] = []
        guard try layer.number("hasMask", or: 1) != 0 else { return masks }
        for field in layer["masksProperties"]?.items ?? [] {
            let mode = field.string("mode") ?? "a"
            if mode == "n" { continue }
            let opacity: Property<Double> = try field.property("o", or: 100)
            let isOpaque = opacity.isConstant && opacity.initial == 100
            // Where every mask is opaque, the lighter and the darker of two are their union and intersection.
            let known = isOpaque ? Mode(rawValue: mode == "l" ? "a" : mode == "d" ? "i" : mode) : Mode(rawValue: mode)
            guard let known, let path: Property<Contour> = try field.property("pt") else {
                field.refuse("a mask of the mode '\(mode.prefix(20))'\(field.name)")
                continue
            }
            let feather: Property<[Double]> = try field.property("f", or: [0])
            if !feather.isConstant || feather.initial.contains(where: { $0 != 0 }) {
                field["f"]?.refuse("a mask's feather\(field.name)")
            }
            masks.append(
                LayerMask(
                    mode: known, path: path, opacity: opacity, expansion: try field.property("x", or: 0),
                    isInverted: try field.flag("inv")))
            layer.log.use("masks")
        }
        return masks
    }
}
