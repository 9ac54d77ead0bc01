import Core

/// A value that a property in a file can have.
protocol Readable: Animatable {
    init(reading field: Field) throws
}

extension Double: Readable {
    init(reading field: Field) throws {
        guard let first = try field.numbers().first else { throw field.error("expected a number") }
        self = first
    }
}

extension Point: Readable {
    init(reading field: Field) throws { self = try field.point() }
}

extension [Double]: Readable {
    init(reading field: Field) throws { self = try field.numbers() }
}

extension Field {
    /// Returns the property at a key; nil if the key is missing.
    func property<Value: Readable>(_ key: String, of type: Value.Type = Value.self) throws -> Property<Value>? {
        try self[key].map { try $0.property() }
    }

    /// Returns the property at a key, or a constant property if the key is missing.
    func property<Value: Readable>(_ key: String, or defaultValue: Value) throws -> Property<Value> {
        try property(key) ?? Property(defaultValue)
    }

    /// Reads this value as a property. Throws `LottieError` if it is not valid.
    func property<Value: Readable>(of type: Value.Type = Value.self) throws -> Property<Value> {
        if let slot = string("sid"), !context.isInSlot {
            context.noteFeature("slots")
            if let value = context.slots?[slot]?["p"] {
                context.isInSlot = true
                defer { context.isInSlot = false }
                return try value.property()
            }
            guard self["k"] != nil else { throw error("the slot \(quoted(slot)) (sid) has no value") }
        }
        guard isObject, let value = self["k"] else { return Property(try Value(reading: self)) }
        let expression = try self.expression()
        let keyframes = value.items
        guard let first = keyframes.first, first.isObject, first["t"] != nil else {
            let constant = try Value(reading: value)
            return Property(initial: constant, segments: [], expression: expression)
        }
        try context.countKeyframes(keyframes.count, at: self)
        let segments: [Property<Value>.KeyframeSegment] = try Self.segments(keyframes)
        guard let initial = try segments.first?.from ?? first["s"].map({ try Value(reading: $0) }) else {
            throw first.error("the keyframe has no value (s)")
        }
        let singleKey = segments.isEmpty ? try first.number("t", or: 0) : nil
        var property = Property(initial: initial, segments: segments, expression: expression, singleKey: singleKey)
        // If the last two keyframes have the same time, the value of the last one applies from
        // there on.
        if let last = keyframes.last, keyframes.count > 1,
            try last.number("t", or: 0) == keyframes[keyframes.count - 2].number("t", or: 0)
        {
            property.final = try last["s"].map { try Value(reading: $0) }
        }
        if context.settings.subframes == .auto { property.holdJumps() }
        return property
    }

    /// Reads the expression of this property; nil without one, or if it is not supported.
    func expression() throws -> Expression? {
        guard let text = string("x"), !text.isEmpty else { return nil }
        do {
            guard let expression = try context.expression(text, path: path) else { return nil }
            context.noteFeature("expressions")
            return expression
        } catch {
            self["x"]?.reportUnsupported("the expression '\(text.expressionExcerpt)' (it \(error))")
            return nil
        }
    }

    private static func segments<Value: Readable>(_ keyframes: [Field]) throws -> [Property<Value>.KeyframeSegment] {
        var segments: [Property<Value>.KeyframeSegment] = []
        var last: (time: Double, value: Value?)?
        for (index, keyframe) in keyframes.enumerated().dropLast() {
            let next = keyframes[index + 1]
            let start = try keyframe.number("t", or: 0)
            let end = try next.number("t", or: 0)
            guard let from = try keyframe["s"].map({ try Value(reading: $0) }) ?? last?.value else {
                throw keyframe.error("the keyframe has no value (s)")
            }
            // Older files have the end value in this keyframe (`e`), newer ones in the next one,
            // which is used if a file has both, as in lottie-web and ThorVG.
            let to = try (next["s"] ?? keyframe["e"]).map { try Value(reading: $0) } ?? from
            last = (end, to)
            // A keyframe that is not later than the previous one has no segment, as in other
            // players.
            guard start < end else { continue }
            let ease = try keyframe.ease()
            var segment = Property<Value>.KeyframeSegment(start: start, end: end, from: from, to: to, ease: ease)
            segment.activeStart = max(start, segments.last?.end ?? start)
            guard segment.activeStart < end else { continue }
            segment.spatialPath = try keyframe.spatialPath(from: from, to: to)
            segments.append(segment)
        }
        return segments
    }

    /// Returns the easing from this keyframe to the next.
    private func ease() throws -> Ease {
        if try flag("h") { return .hold }
        guard let out = self["o"], let into = self["i"] else { return .curve(context.used(.linear)) }
        let x1 = try out["x"]?.easingNumbers() ?? [0]
        let y1 = try out["y"]?.easingNumbers() ?? [0]
        let x2 = try into["x"]?.easingNumbers() ?? [1]
        let y2 = try into["y"]?.easingNumbers() ?? [1]
        guard !x1.isEmpty, !y1.isEmpty, !x2.isEmpty, !y2.isEmpty else { return .curve(context.used(.linear)) }
        // A single handle applies to all components.
        func component(_ list: [Double], _ index: Int) -> Double { list[min(index, list.count - 1)] }
        let curves: [TimingFunction] = (0..<max(x1.count, y1.count, x2.count, y2.count)).map { index in
            let outHandle = (x: component(x1, index), y: component(y1, index))
            let inHandle = (x: component(x2, index), y: component(y2, index))
            let isLinear = outHandle.x == outHandle.y && inHandle.x == inHandle.y
            return context.used(
                isLinear
                    ? .linear : TimingFunction(clamp01(outHandle.x), outHandle.y, clamp01(inHandle.x), inHandle.y))
        }
        return curves.dropFirst().allSatisfy { $0 == curves[0] } ? .curve(curves[0]) : .curves(curves)
    }

    /// Returns the coordinates of an easing's handles, clamped to `LottieLimits.maxNumber`.
    /// Exporters divide by the change of the value, which can be almost 0.
    private func easingNumbers() throws -> [Double] {
        let limit = LottieLimits.maxNumber
        return try (isArray ? items : [self]).map { item in
            guard case .number(let number) = item.json, number.isFinite else { return try item.number() }
            return min(max(number, -limit), limit)
        }
    }

    /// Returns the spatial path from this keyframe to the next; nil if it is a straight line or the
    /// property has no spatial tangents (`to`, `ti`).
    private func spatialPath<Value: Animatable>(from start: Value, to end: Value) throws -> SpatialCurve? {
        guard let start = start as? Point, let end = end as? Point, let out = self["to"], let into = self["ti"],
            out.isArray, into.isArray
        else { return nil }
        let tangents = (out: try out.point(), in: try into.point())
        guard tangents.out != .zero || tangents.in != .zero else { return nil }
        try context.countCurve(at: self)
        return SpatialCurve(from: start, to: end, out: tangents.out, in: tangents.in)
    }
}

extension String {
    /// The beginning of an expression, for messages.
    var expressionExcerpt: String { singleLine(atMost: 60, hasEllipsis: true) }
}
