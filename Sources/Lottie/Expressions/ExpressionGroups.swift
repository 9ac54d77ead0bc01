import Core

/// The groups of After Effects' project in expressions: their match names, their numbers, and the
/// groups around a property.
extension ExpressionInterpreter {
    /// The groups of a layer by their match names and numbers.
    static let layerGroups = [
        "ADBE Root Vectors Group": "contents", "2": "contents", "ADBE Mask Parade": "masks", "5": "masks",
        "ADBE Effect Parade": "effects", "4": "effects", "ADBE Transform Group": "transform", "1": "transform",
        "6": "transform",
    ]

    /// The names of properties, without spaces and in lower case, by their match names.
    static let matchNames = [
        "ADBE Vector Shape": "path", "ADBE Vectors Group": "contents", "ADBE Vector Transform Group": "transform",
        "ADBE Anchor Point": "anchorpoint", "ADBE Position": "position",
        "ADBE Position_0": "xposition", "ADBE Position_1": "yposition", "ADBE Scale": "scale",
        "ADBE Rotate Z": "rotation", "ADBE Opacity": "opacity", "ADBE Vector Anchor": "anchorpoint",
        "ADBE Vector Position": "position", "ADBE Vector Scale": "scale", "ADBE Vector Rotation": "rotation",
        "ADBE Vector Group Opacity": "opacity", "ADBE Vector Skew": "skew", "ADBE Vector Skew Axis": "skewaxis",
        "ADBE Vector Fill Color": "color", "ADBE Vector Fill Opacity": "opacity", "ADBE Vector Stroke Color": "color",
        "ADBE Vector Stroke Opacity": "opacity", "ADBE Vector Stroke Width": "strokewidth",
        "ADBE Vector Trim Start": "start", "ADBE Vector Trim End": "end", "ADBE Vector Trim Offset": "offset",
        "ADBE Vector Rect Size": "size", "ADBE Vector Rect Position": "position",
        "ADBE Vector Rect Roundness": "roundness", "ADBE Vector Ellipse Size": "size",
        "ADBE Vector Ellipse Position": "position", "ADBE Vector Star Points": "points",
        "ADBE Vector Star Position": "position", "ADBE Vector Star Rotation": "rotation",
        "ADBE Vector Star Inner Radius": "innerradius", "ADBE Vector Star Outer Radius": "outerradius",
        "ADBE Vector Star Inner Roundess": "innerroundness", "ADBE Vector Star Outer Roundess": "outerroundness",
    ]

    /// Returns the part of a group with a number: the contents (2) or the transform (3) of a shape
    /// group, or the property with that number in the file (`ix`). Returns nil for anything else.
    func groupMember(
        _ reference: ExpressionReference, _ json: JSON, _ type: String, numbered key: ExpressionValue
    ) throws -> ExpressionValue? {
        guard case .number(let number) = key else { return nil }
        if type == "gr" {
            guard number == 2 || number == 3 else { return nil }
            return try groupMember(reference, json, type, number == 2 ? "contents" : "transform")
        }
        guard case .object(let members) = json else { return nil }
        var found: String?
        for (name, member) in members where member["ix"]?.number == number && member["k"] != nil {
            found = found.map { min($0, name) } ?? name
        }
        return try found.flatMap { try property($0, of: json, in: reference) }
    }

    /// Returns the group a number of levels around a property or group. The first level of a
    /// property is its own group.
    func propertyGroup(around reference: ExpressionReference, _ levels: Double) throws -> ExpressionValue {
        guard levels >= 1 else { return .reference(reference) }
        let groups = try groups(around: reference)
        guard levels <= Double(groups.count) else { throw EvaluationError("has no group \(levels) levels up") }
        return .reference(groups[groups.count - Int(levels)])
    }

    /// Returns the number of a property in its group, as the file states it.
    func propertyIndex(_ reference: ExpressionReference) throws -> ExpressionValue {
        guard let key = reference.path.split(separator: ".").last, let group = try groups(around: reference).last,
            case .group(let json, _) = group.kind, let number = json[String(key)]?["ix"]?.number
        else { throw EvaluationError("has no number in its group") }
        return .number(number)
    }

    /// Returns the number of a group or an effect in its list: the one that the file states, or its
    /// position.
    func itemNumber(_ reference: ExpressionReference, _ json: JSON) -> ExpressionValue? {
        if let number = json["ix"]?.number { return .number(number) }
        let digits = reference.path.split(separator: "[").last?.prefix { $0.isNumber }
        return digits.flatMap { Int($0) }.map { .number(Double($0 + 1)) }
    }

    /// Returns the layer and the groups in it that contain a property or group, the innermost last.
    private func groups(around reference: ExpressionReference) throws -> [ExpressionReference] {
        let layer = try layerIndex(reference)
        let path = model(reference).layerPath(layer)
        guard reference.path.hasPrefix(path) else { throw EvaluationError("has no groups") }
        var group = ExpressionReference(kind: .layer, composition: reference.composition, layer: layer, path: path)
        var json = try layerJSON(group)
        var groups = [group]
        for step in reference.path.dropFirst(path.count).split(separator: ".") {
            try charge()
            let parts = step.split(whereSeparator: { $0 == "[" || $0 == "]" })
            let key = String(parts[0])
            guard parts.count == 2, let index = Int(parts[1]) else {
                guard key == "ks" || key == "tr", let inner = json[key], inner["ty"] == nil, inner["k"] == nil else {
                    break
                }
                group = group.inner(.group(inner, type: "tr"), "." + key)
                json = inner
                groups.append(group)
                continue
            }
            guard let items = json[key]?.items, items.indices.contains(index) else { break }
            let item = items[index]
            let type = key == "masksProperties" ? "mask" : item["ty"]?.text ?? ""
            let isEffect = key == "ef"
            // A parameter of an effect is not a group.
            if isEffect, json["ef"] != nil, json["ks"] == nil, item["ef"] == nil { break }
            // The transform of a group is beside its contents.
            if type != "tr" { groups.append(group.inner(.items(items), "." + key)) }
            group = group.inner(isEffect ? .effect(item) : .group(item, type: type), ".\(key)[\(index)]")
            json = item
            groups.append(group)
        }
        return groups.filter { $0.path != reference.path }
    }
}
