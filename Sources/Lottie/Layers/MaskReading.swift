import Core

extension LayerMask {
    /// Reads the masks of a layer. Reports unsupported modes and leaves those masks out.
    static func all(reading layer: Field) throws -> [LayerMask] {
        var masks: [LayerMask] = []
        guard try layer.number("hasMask", or: 1) != 0 else { return masks }
        for field in layer["masksProperties"]?.items ?? [] {
            let mode = field.string("mode") ?? "a"
            if mode == "n" { continue }
            guard let knownMode = Mode(rawValue: mode) else {
                field.reportUnsupported("a mask of the mode \(quoted(mode))\(field.name)")
                continue
            }
            field.context.isClosed = field.json.isClosedPath
            defer { field.context.isClosed = nil }
            guard let path: Property<BezierContour> = try field.property("pt") else {
                field.reportUnsupported("a mask without a path (pt)\(field.name)")
                continue
            }
            masks.append(
                LayerMask(
                    mode: knownMode, path: path, opacity: try field.property("o", or: 100),
                    expansion: try field.property("x", or: 0), feather: try field.property("f", or: [0]),
                    isInverted: try field.flag("inv")))
            layer.context.noteFeature("masks")
        }
        return masks
    }
}
