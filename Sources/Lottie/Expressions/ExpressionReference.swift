import Core

/// A part of the animation to which an expression refers.
struct ExpressionReference: Sendable {
    enum Kind: Sendable {
        case composition
        case layer
        /// A list of named items: `content`, `effect` or `mask`.
        case items([JSON])
        /// A group of properties, with its type in the file: `tr`, `rc`, `fl` and so on.
        case group(JSON, type: String)
        /// An effect with its parameters.
        case effect(JSON)
        case property(any ExpressionProperty)
        /// The markers of a composition.
        case markers
    }

    var kind: Kind
    /// The composition's index in the model.
    var composition: Int
    /// The layer's index in the composition; nil for a composition and for markers.
    var layer: Int?
    /// The path in the file.
    var path: String

    /// Returns a reference to another part of the same layer.
    func inner(_ kind: Kind, _ key: String) -> ExpressionReference {
        ExpressionReference(kind: kind, composition: composition, layer: layer, path: path + key)
    }
}

extension ExpressionInterpreter {
    /// The keys in the file for the names of properties, by the type of their group. Names are
    /// compared without spaces and case: "Anchor Point" is `anchorPoint`.
    private static let keys: [String: [String: String]] = [
        "tr": [
            "anchorpoint": "a", "position": "p", "scale": "s", "rotation": "r", "opacity": "o", "skew": "sk",
            "skewaxis": "sa", "startopacity": "so", "endopacity": "eo", "zrotation": "r", "xrotation": "rx",
            "yrotation": "ry", "orientation": "or",
        ],
        "rc": ["size": "s", "position": "p", "roundness": "r"], "el": ["size": "s", "position": "p"],
        "sr": [
            "points": "pt", "position": "p", "rotation": "r", "outerradius": "or", "innerradius": "ir",
            "outerroundness": "os", "innerroundness": "is",
        ],
        "sh": ["path": "ks"], "fl": ["color": "c", "opacity": "o"],
        "st": ["color": "c", "opacity": "o", "strokewidth": "w", "miterlimit": "ml2"],
        "gf": ["startpoint": "s", "endpoint": "e", "opacity": "o", "highlightlength": "h", "highlightangle": "a"],
        "gs": [
            "startpoint": "s", "endpoint": "e", "opacity": "o", "highlightlength": "h", "highlightangle": "a",
            "strokewidth": "w",
        ],
        "tm": ["start": "s", "end": "e", "offset": "o"], "rd": ["radius": "r"],
        "rp": ["copies": "c", "offset": "o", "transform": "tr"],
        "zz": ["size": "s", "ridgespersegment": "r", "points": "pt"], "pb": ["amount": "a"],
        "tw": ["angle": "a", "center": "c"], "op": ["amount": "a", "miterlimit": "ml"],
        "mask": ["maskpath": "pt", "maskopacity": "o", "maskexpansion": "x", "maskfeather": "f"],
    ]

    private static func plainName(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        return isPlain ? name : String(name.lowercased().filter { !$0.isWhitespace })
    }

    func model(_ reference: ExpressionReference) -> CompositionModel {
        context.model.compositions[reference.composition]
    }

    /// Returns the index of a reference's layer. Throws `EvaluationError` for a composition.
    func layerIndex(_ reference: ExpressionReference) throws -> Int {
        guard let layer = reference.layer else { throw EvaluationError("uses a composition as a layer") }
        return layer
    }

    /// Returns the value of a property at the current frame; nil for another reference.
    func value(of reference: ExpressionReference) throws -> ExpressionValue? {
        guard case .property = reference.kind else { return nil }
        return try value(of: reference, at: frame)
    }

    /// Returns a property's value at a frame. The expression's own property has its value without
    /// the expression.
    func value(of reference: ExpressionReference, at frame: Double) throws -> ExpressionValue {
        guard case .property(let property) = reference.kind else { return .reference(reference) }
        hasReadState = true
        try charge(10)
        let isOwn = reference.path == expression.path
        return try value(isOwn ? property.keyframedResult(at: frame) : property.result(at: frame, in: context))
    }

    /// Returns a result as a value of this program.
    func value(_ result: ExpressionResult) throws -> ExpressionValue {
        switch result {
        case .none: return .undefined
        case .number(let number): return .number(number)
        case .numbers(let numbers): return try array(numbers)
        case .text(let text): return try string(text)
        case .path(let path):
            try charge(path.vertices.count)
            return .path(path)
        }
    }

    /// Returns a reference to the property in a JSON value.
    func property(
        _ json: JSON, in reference: ExpressionReference, _ key: String, isClosed: Bool? = nil
    ) throws -> ExpressionValue {
        let path = reference.path + key
        let layer = try layerIndex(reference)
        let property = try model(reference).property(json, path: path, layer: layer, isClosed: isClosed)
        return .reference(reference.inner(.property(property), key))
    }

    /// Returns a member of a JSON object as a reference; nil if it is missing.
    func property(_ key: String, of json: JSON, in reference: ExpressionReference) throws -> ExpressionValue? {
        guard let member = json[key] else { return nil }
        return try property(member, in: reference, "." + key, isClosed: json.isClosedPath)
    }

    // MARK: Members

    /// Returns a member of a reference. Throws `EvaluationError` if it does not have it.
    func member(of reference: ExpressionReference, _ name: String) throws -> ExpressionValue {
        try charge()
        let value: ExpressionValue? =
            switch reference.kind {
            case .composition: try compositionMember(reference, name)
            case .layer: try layerMember(reference, name)
            case .items(let items):
                // The transform of a group is beside its contents.
                name == "numProperties" ? .number(Double(items.count { $0["ty"]?.text != "tr" })) : nil
            case .group(let json, let type): try groupMember(reference, json, type, name)
            case .effect(let json): try effectMember(reference, json, name)
            case .property(let property): try propertyMember(reference, property, name)
            case .markers: name == "numKeys" ? .number(Double(model(reference).markers.count)) : nil
            }
        guard let value else { throw EvaluationError.unsupported(name) }
        return value
    }

    private func effectMember(_ reference: ExpressionReference, _ json: JSON, _ name: String) throws -> ExpressionValue?
    {
        switch name {
        case "name", "_name": return .string(json["nm"]?.text ?? "")
        case "active", "enabled": return .bool(json["en"]?.number != 0)
        case "propertyIndex": return itemNumber(reference, json)
        default: return nil
        }
    }

    func groupMember(
        _ reference: ExpressionReference, _ json: JSON, _ type: String, _ name: String
    ) throws -> ExpressionValue? {
        let plain = Self.matchNames[name] ?? Self.plainName(name)
        if let key = Self.keys[type]?[plain] {
            // A rotation in the plane of a 3D layer is a rotation about the z axis.
            if plain.hasSuffix("rotation"), json[key] == nil, key == "r" {
                return try property("rz", of: json, in: reference) ?? .number(0)
            }
            if type == "rp", key == "tr", let inner = json["tr"] {
                return .reference(reference.inner(.group(inner, type: "tr"), ".tr"))
            }
            if let value = try property(key, of: json, in: reference) { return value }
            // Files leave out values that a transform has anyway.
            return type == "tr" ? try defaultTransform(key) : nil
        }
        switch plain {
        case "name", "_name": return .string(json["nm"]?.text ?? "")
        case "propertyindex": return itemNumber(reference, json)
        case "xposition", "yposition":
            return try axis(reference, json, String(plain.prefix(1))) ?? (type == "tr" ? .number(0) : nil)
        case "content", "contents": return items(reference, json, "it")
        case "transform":
            guard let items = json["it"]?.items, let index = items.firstIndex(where: { $0["ty"]?.text == "tr" }) else {
                return nil
            }
            return .reference(reference.inner(.group(items[index], type: "tr"), ".it[\(index)]"))
        default: return nil
        }
    }

    private func defaultTransform(_ key: String) throws -> ExpressionValue? {
        switch key {
        case "a", "p": return try array([0, 0])
        case "s": return try array([100, 100])
        case "o", "so", "eo": return .number(100)
        default: return .number(0)
        }
    }

    private func axis(_ reference: ExpressionReference, _ json: JSON, _ name: String) throws -> ExpressionValue? {
        guard let position = json["p"] else { return nil }
        if let axis = position[name] { return try property(axis, in: reference, ".p.\(name)") }
        let joined = try plain(property(position, in: reference, ".p")).components ?? []
        return joined.count > 1 ? .number(joined[name == "x" ? 0 : 1]) : nil
    }

    private func items(_ reference: ExpressionReference, _ json: JSON, _ key: String) -> ExpressionValue {
        .reference(reference.inner(.items(json[key]?.items ?? []), "." + key))
    }

    // MARK: Calls

    /// Calls a reference with a name or an index, such as `effect('Slider Control')('Slider')`.
    func call(_ reference: ExpressionReference, _ arguments: [ExpressionValue]) throws -> ExpressionValue {
        let key = try plain(arguments.first ?? .undefined)
        switch reference.kind {
        case .items(let items): return try item(key, in: items, of: reference)
        case .effect(let json): return try parameter(key, of: json, reference)
        case .group(let json, let type):
            if let member = try groupMember(reference, json, type, numbered: key) { return member }
            if let items = json["it"]?.items,
                let item = try? item(key, in: items, of: reference.inner(.items(items), ".it"))
            {
                return item
            }
            return try member(of: reference, text(of: key))
        case .layer:
            let text = try text(of: key)
            let name = Self.layerGroups[text] ?? Self.plainName(text)
            let lists = ["contents": "shapes", "effects": "ef", "masks": "masksProperties"]
            if let list = lists[name] { return items(reference, try layerJSON(reference), list) }
            return try member(of: reference, name == "transform" ? name : text)
        case .property, .composition, .markers: throw EvaluationError.unsupported("a call of a property")
        }
    }

    /// Returns the item with a name, or with a number from 1.
    private func item(_ key: ExpressionValue, in items: [JSON], of reference: ExpressionReference) throws
        -> ExpressionValue
    {
        try charge(items.count / 4)
        guard let index = try index(of: key, in: items) else {
            throw EvaluationError("has no item \(quoted(try text(of: key).singleLine(atMost: 40)))")
        }
        let item = items[index]
        if item["ef"] != nil { return .reference(reference.inner(.effect(item), "[\(index)]")) }
        let type = item["pt"] != nil && item["ty"] == nil ? "mask" : item["ty"]?.text ?? ""
        return .reference(reference.inner(.group(item, type: type), "[\(index)]"))
    }

    private func index(of key: ExpressionValue, in items: [JSON]) throws -> Int? {
        guard case .number(let number) = key else {
            let name = try text(of: key)
            return items.firstIndex { $0["nm"]?.text == name } ?? items.firstIndex { $0["mn"]?.text == name }
        }
        // Exporters leave items out, and write the numbers of the others (ix).
        if let index = items.firstIndex(where: { $0["ix"]?.number == number && $0["ef"] != nil }) { return index }
        let index = Int(truncating: number) - 1
        return items.indices.contains(index) ? index : nil
    }

    private func parameter(_ key: ExpressionValue, of effect: JSON, _ reference: ExpressionReference) throws
        -> ExpressionValue
    {
        let items = effect["ef"]?.items ?? []
        try charge(items.count / 4)
        var index = try index(of: key, in: items)
        if case .number(let number) = key, let own = items.firstIndex(where: { $0["ix"]?.number == number }) {
            index = own
        }
        guard let index else {
            throw EvaluationError("has no parameter \(quoted(try text(of: key).singleLine(atMost: 40)))")
        }
        let item = items[index]
        let path = ".ef[\(index)]"
        if item["ef"] != nil { return .reference(reference.inner(.effect(item), path)) }
        guard let value = item["v"] else { throw EvaluationError("uses a parameter without a value") }
        let property = try property(value, in: reference, path + ".v")
        // A layer control (type 10) has the number of a layer.
        guard item["ty"]?.number == 10 else { return property }
        return try layer(numbered: plain(property).number, in: reference)
    }

    /// Calls a method of a reference; returns nil if it has no such method.
    func call(_ name: String, of reference: ExpressionReference, _ arguments: [ExpressionValue]) throws
        -> ExpressionValue?
    {
        let arguments = try plain(arguments)
        switch reference.kind {
        case .composition: return try callComposition(reference, name, arguments)
        case .layer: return try callLayer(reference, name, arguments)
        case .property(let property): return try callProperty(reference, property, name, arguments)
        case .markers: return try callMarkers(reference, name, arguments)
        case .group(let json, _):
            if name == "propertyGroup" { return try propertyGroup(around: reference, Self.number(arguments, 0, or: 1)) }
            guard name == "content" else { return nil }
            return try call(reference.inner(.items(json["it"]?.items ?? []), ".it"), arguments)
        case .effect, .items:
            if name == "propertyGroup" { return try propertyGroup(around: reference, Self.number(arguments, 0, or: 1)) }
            return try call(member(of: reference, name), arguments)
        }
    }
}
