import Core

/// The parts of a Lottie file as JSON text. Names of keys are those of the Lottie specification.
enum LottieText {
    /// Returns a property whose values have one or several components.
    ///
    /// - Parameter factor: the unit of the file, such as 100 for percent.
    static func property(_ channel: Channel, factor: Double = 1, suffix: [Double] = []) -> String {
        let decimal = factor == 1 ? channel.decimal : DecimalText(places: max(1, channel.decimal.places - 2))
        func list(_ values: [Double]) -> String {
            "[" + (values.map { decimal($0 * factor) } + suffix.map { decimal($0) }).joined(separator: ",") + "]"
        }
        if channel.isConstant {
            let text = list(channel.initial)
            let isScalar = channel.initial.count + suffix.count == 1
            return object([("a", "0"), ("k", isScalar ? String(text.dropFirst().dropLast()) : text)])
        }
        return animated(channel) { list($0) }
    }

    /// Returns a property that does not change.
    static func constant(_ values: Double...) -> String {
        let text = values.map { DecimalText(places: 3)($0) }.joined(separator: ",")
        return object([("a", "0"), ("k", values.count == 1 ? text : "[\(text)]")])
    }

    /// Returns a property with keyframes, whose values `format` writes.
    static func animated(_ channel: Channel, _ format: ([Double]) -> String) -> String {
        let ease = "\"i\":{\"x\":[1],\"y\":[1]},\"o\":{\"x\":[0],\"y\":[0]}"
        let keyframes = channel.keyframes.enumerated().map { index, key in
            let isLast = index == channel.keyframes.count - 1
            let interpolation = isLast ? "" : key.isHold ? ",\"h\":1" : "," + ease
            return "{\"t\":\(key.frame),\"s\":\(format(key.values))\(interpolation)}"
        }
        return object([("a", "1"), ("k", array(keyframes))])
    }

    static func object(_ members: [(key: String, value: String)]) -> String {
        "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    static func array(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }

    /// Returns the bezier properties of a path, one for each contour.
    static func beziers(_ curves: CurveTrack, frames: [Int], frameCount: Int, tolerance: Double) -> [String] {
        var start = 0
        return curves.contours.map { contour in
            let range = start..<start + contour.valueCount
            start = range.upperBound
            let samples = zip(frames, curves.values).map { (frame: $0, values: Array($1[range])) }
            let channel = Channel(samples, frameCount: frameCount, tolerance: tolerance)
            // A closed contour that ends where it starts has one vertex there.
            let isJoined =
                contour.isClosed && contour.isCurved.count > 1
                && samples.allSatisfy { _, values in
                    abs(values[0] - values[values.count - 2]) < 1e-3 && abs(values[1] - values[values.count - 1]) < 1e-3
                }
            func text(_ values: [Double]) -> String { bezier(contour, values, isJoined: isJoined, channel.decimal) }
            if channel.isConstant { return object([("a", "0"), ("k", text(channel.initial))]) }
            return animated(channel) { "[" + text($0) + "]" }
        }
    }

    private static func bezier(
        _ contour: CurveTrack.Contour, _ values: [Double], isJoined: Bool, _ decimal: DecimalText
    ) -> String {
        var vertices = [Point(values[0], values[1])]
        var incoming = [Point.zero]
        var outgoing: [Point] = []
        var offset = 2
        func point(_ index: Int) -> Point { Point(values[offset + 2 * index], values[offset + 2 * index + 1]) }
        for isCurved in contour.isCurved {
            let last = vertices[vertices.count - 1]
            let end = point(isCurved ? 2 : 0)
            outgoing.append(isCurved ? point(0) - last : .zero)
            incoming.append(isCurved ? point(1) - end : .zero)
            vertices.append(end)
            offset += isCurved ? 6 : 2
        }
        outgoing.append(.zero)
        if isJoined {
            incoming[0] = incoming[incoming.count - 1]
            vertices.removeLast()
            incoming.removeLast()
            outgoing.removeLast()
        }
        func list(_ points: [Point]) -> String { array(points.map { "[\(decimal($0.x)),\(decimal($0.y))]" }) }
        return object([
            ("i", list(incoming)), ("o", list(outgoing)), ("v", list(vertices)),
            ("c", contour.isClosed ? "true" : "false"),
        ])
    }
}
