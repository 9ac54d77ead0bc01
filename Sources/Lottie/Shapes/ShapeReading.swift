import Core

extension ShapeGroup {
    /// Reads a group, or the contents of a shape layer, with its items in the array at a key.
    /// Throws `LottieError` if the items are invalid or nested too deep.
    init(reading field: Field, items key: String, depth: Int = 0) throws {
        guard depth <= LottieLimits.maxNesting else {
            throw field.error("groups are nested deeper than the maximum of \(LottieLimits.maxNesting) levels")
        }
        name = field.string("nm") ?? ""
        items = []
        transform = .identity
        blendMode = depth > 0 ? try field.blendMode() : .normal
        for item in field[key]?.items ?? [] where try !item.flag("hd") {
            if item.string("ty") == "tr" {
                transform = try LayerTransform(reading: item)
            } else if let shapeItem = try ShapeItem(reading: item, depth: depth) {
                items.append(shapeItem)
            }
        }
    }
}

extension ShapeItem {
    /// Reads an item. Returns nil for an unsupported type.
    init?(reading field: Field, depth: Int) throws {
        let type = field.string("ty") ?? ""
        switch type {
        // lottie-web adds an item of this type to glyphs, and so did some exporters.
        case "no": return nil
        case "gr": self = .group(try ShapeGroup(reading: field, items: "it", depth: depth + 1))
        case "sh":
            // In older files, the shape item says whether its path is closed.
            field.context.isClosed = field.json.isClosedPath
            defer { field.context.isClosed = nil }
            guard let path: Property<BezierContour> = try field.property("ks") else {
                throw field.error("the path has no vertices (ks)")
            }
            self = .path(path, isReversed: try field.isReversed)
        case "rc", "el", "sr": self = .primitive(try PrimitiveShape(reading: field), isReversed: try field.isReversed)
        case "fl", "st", "gf", "gs": self = .style(try ShapeStyle(reading: field, type: type))
        case "rp": self = .repeater(try Repeater(reading: field))
        case "tm", "rd", "pb", "zz", "tw", "mm", "op":
            guard let modifier = try PathModifier(reading: field, type: type) else { return nil }
            self = .modifier(modifier)
        default:
            field.reportUnsupported("the shape item \(quoted(type))\(field.name)")
            return nil
        }
        field.context.noteFeature(ShapeItem.features[type] ?? type)
    }

    private static let features = [
        "gr": "groups", "sh": "paths", "rc": "rectangles", "el": "ellipses", "sr": "stars", "fl": "fills",
        "st": "strokes", "gf": "gradients", "gs": "gradients", "rp": "repeaters", "tm": "trim paths",
        "rd": "round corners", "pb": "pucker and bloat", "zz": "zig zag", "tw": "twist", "mm": "merge paths",
        "op": "offset paths",
    ]
}

extension Field {
    fileprivate var isReversed: Bool { get throws { try number("d", or: 1) == 3 } }

    /// Returns the blend mode (`bm`). Unsupported modes are recorded and drawn as normal.
    ///
    /// - Parameter allowsHardMix: true for layers, which draw Hard Mix by other modes.
    func blendMode(allowsHardMix: Bool = false) throws -> BlendMode {
        let modes: [BlendMode] = [
            .normal, .multiply, .screen, .overlay, .darken, .lighten, .colorDodge, .colorBurn, .hardLight, .softLight,
            .difference, .exclusion, .hue, .saturation, .color, .luminosity, .add,
        ]
        let number = try integer("bm") ?? 0
        if number == 17, allowsHardMix { return .normal }
        guard modes.indices.contains(number) else {
            self["bm"]?.reportUnsupported("the blend mode \(number)\(number == 17 ? " (hard mix)" : "")")
            return .normal
        }
        if number > 0 { context.noteFeature("blend modes") }
        return modes[number]
    }

    /// Returns a colour's property, with red, green and blue in 0...1.
    fileprivate func color(_ key: String) throws -> Property<[Double]> {
        guard let field = self[key], let color: Property<[Double]> = try property(key) else {
            return Property([0, 0, 0])
        }
        guard color.keyValues.allSatisfy({ $0.count >= 3 }) else {
            throw field.error("expected a colour of three numbers")
        }
        guard context.hasByteColors else { return color }
        return color.mapped { $0.map { $0 / 255 } }
    }
}

extension Property {
    /// Returns the property with each value transformed.
    func mapped(_ map: (Value) -> Value) -> Property {
        let segments = segments.map { segment in
            var segment = segment
            segment.from = map(segment.from)
            segment.to = map(segment.to)
            return segment
        }
        var result = Property(initial: map(initial), segments: segments, expression: expression)
        result.final = final.map(map)
        return result
    }
}

extension PrimitiveShape {
    fileprivate init(reading field: Field) throws {
        let position: Property<Point> = try field.property("p", or: .zero)
        switch field.string("ty") {
        case "rc":
            self = .rectangle(
                position: position, size: try field.property("s", or: .zero), roundness: try field.property("r", or: 0))
        case "el": self = .ellipse(position: position, size: try field.property("s", or: .zero))
        default:
            self = .star(
                Star(
                    isPolygon: try field.integer("sy") == 2, position: position,
                    points: try field.property("pt", or: 5),
                    rotation: try field.property("r", or: 0), outerRadius: try field.property("or", or: 0),
                    innerRadius: try field.property("ir", or: 0), outerRoundness: try field.property("os", or: 0),
                    innerRoundness: try field.property("is", or: 0)))
        }
    }
}

extension ShapeStyle {
    fileprivate init(reading field: Field, type: String) throws {
        paint = type.hasPrefix("g") ? .gradient(try GradientModel(reading: field)) : .color(try field.color("c"))
        opacity = try field.property("o", or: 100)
        fillRule = try field.integer("r") == 2 ? .evenOdd : .nonZero
        blendMode = try field.blendMode()
        stroke = type.hasSuffix("s") || type == "st" ? try StrokeStyle(reading: field) : nil
        if stroke != nil { fillRule = .nonZero }
    }
}

extension ShapeStyle.StrokeStyle {
    fileprivate init(reading field: Field) throws {
        width = try field.property("w", or: 1)
        let caps: [Stroke.Cap] = [.butt, .round, .square]
        let joins: [Stroke.Join] = [.miter, .round, .bevel]
        cap = caps[min(max(try field.integer("lc") ?? 2, 1), 3) - 1]
        join = joins[min(max(try field.integer("lj") ?? 2, 1), 3) - 1]
        miterLimit = try field.property("ml2") ?? Property(try field.number("ml", or: 4))
        dashes = []
        dashOffset = Property(0)
        for dash in field["d"]?.items ?? [] {
            guard let length: Property<Double> = try dash.property("v") else { continue }
            if dash.string("n") == "o" { dashOffset = length } else { dashes.append(length) }
        }
        if !dashes.isEmpty { field.context.noteFeature("dashes") }
    }
}

extension PathModifier {
    fileprivate init?(reading field: Field, type: String) throws {
        switch type {
        case "tm":
            self = .trim(
                start: try field.property("s", or: 0), end: try field.property("e", or: 100),
                offset: try field.property("o", or: 0), isIndividual: try field.integer("m") == 2)
        case "rd": self = .roundCorners(try field.property("r", or: 0))
        case "pb": self = .puckerBloat(try field.property("a", or: 0))
        case "zz":
            let point: Property<Double> = try field.property("pt", or: 1)
            self = .zigZag(
                size: try field.property("s", or: 0), ridges: try field.property("r", or: 0),
                isSmooth: point.initial == 2)
        case "tw": self = .twist(angle: try field.property("a", or: 0), center: try field.property("c", or: .zero))
        case "op":
            let joins: [Stroke.Join] = [.miter, .round, .bevel]
            self = .offset(
                amount: try field.property("a", or: 0),
                join: joins[min(max(try field.integer("lj") ?? 1, 1), 3) - 1],
                miterLimit: try field.property("ml", or: 4))
        default:
            let number = try field.integer("mm") ?? 1
            guard let mode = MergeMode(rawValue: number) else {
                field.reportUnsupported("merge paths by mode \(number)")
                return nil
            }
            self = .merge(mode)
        }
    }
}

extension Repeater {
    fileprivate init(reading field: Field) throws {
        copies = try field.property("c", or: 1)
        offset = try field.property("o", or: 0)
        isAbove = try field.integer("m") == 2
        guard copies.keyValues.allSatisfy({ $0 <= Double(LottieLimits.maxCopies) }) else {
            throw field.error("the repeater has more than the maximum of \(LottieLimits.maxCopies) copies")
        }
        guard let transform = field["tr"] else {
            self.transform = .identity
            startOpacity = Property(100)
            endOpacity = Property(100)
            return
        }
        self.transform = try LayerTransform(reading: transform)
        startOpacity = try transform.property("so", or: 100)
        endOpacity = try transform.property("eo", or: 100)
    }
}
