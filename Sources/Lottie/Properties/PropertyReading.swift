import Motion
import Scene

/// What can be read as a property's value.
protocol Readable: Animatable {
    init(reading field: Field) throws
}

extension Double: Readable {
    init(reading field: Field) throws {
        guard let first = try field.numbers().first else { throw field.error("a number is expected") }
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
    /// The property of a key; nil if there is none.
    func property<Value: Readable>(_ key: String, of type: Value.Type = Value.self) throws -> Property<Value>? {
        try self[key].map { try $0.property() }
    }

    /// The property of a key, or one that stays.
    func property<Value: Readable>(_ key: String, or fallback: Value) throws -> Property<Value> {
        try property(key) ?? Property(fallback)
    }

    /// The property that this is.
    func property<Value: Readable>(of type: Value.Type = Value.self) throws -> Property<Value> {
        if let slot = string("sid"), !log.isInSlot {
            log.use("slots")
            if let value = log.slots?[slot]?["p"] {
                log.isInSlot = true
                defer { log.isInSlot = false }
                return try value.property()
            }
            guard self["k"] != nil else { throw error("the slot '\(slot.prefix(60))' (sid) has no value") }
        }
        guard isObject, let value = self["k"] else { return Property(try Value(reading: self)) }
        let expression = try self.expression()
        let keyframes = value.items
        guard let first = keyframes.first, first.isObject, first["t"] != nil else {
            let constant = try Value(reading: value)
            return Property(initial: constant, segments: [], expression: expression)
        }
        try log.countKeyframes(keyframes.count, at: self)
        let segments: [Property<Value>.Segment] = try Self.segments(keyframes)
        guard let initial = try segments.first?.from ?? first["s"].map({ try Value(reading: $0) }) else {
            throw first.error("a keyframe without a value (s)")
        }
        var property = Property(initial: initial, segments: segments, expression: expression)
        // Of two last keyframes at one time the later holds from there on.
        if let last = keyframes.last, keyframes.count > 1,
            try last.number("t", or: 0) == keyframes[keyframes.count - 2].number("t", or: 0)
        {
            property.final = try last["s"].map { try Value(reading: $0) }
        }
        if log.subframes == .auto { property.makeJumps() }
        return property
    }

    private func expression() throws -> Expression? {
        guard let text = string("x"), !text.isEmpty else { return nil }
        do {
            let expression = try Expression(parsing: text)
            log.use("expressions")
            return expression
        } catch {
            let words = text.plain(atMost: 60)
            let shown = words.utf8.count < text.utf8.count && words.count == 60 ? words.prefix(57) + "..." : words[...]
            self["x"]?.refuse("the expression '\(shown)', which \(error),")
            return nil
        }
    }

    private static func segments<Value: Readable>(_ keyframes: [Field]) throws -> [Property<Value>.Segment] {
        var segments: [Property<Value>.Segment] = []
        var last: (time: Double, value: Value?)?
        for (index, keyframe) in keyframes.enumerated().dropLast() {
            let next = keyframes[index + 1]
            let (start, end) = (try keyframe.number("t", or: 0), try next.number("t", or: 0))
            guard let from = try keyframe["s"].map({ try Value(reading: $0) }) ?? last?.value else {
                throw keyframe.error("a keyframe without a value (s)")
            }
            // Older files say where a keyframe's motion ends, newer ones leave that to the next keyframe.
            let to = try (keyframe["e"] ?? next["s"]).map { try Value(reading: $0) } ?? from
            last = (end, to)
            // Of two keyframes at one time the later counts from there on; and so does one whose time is before the last,
            // as players have it.
            guard start < end else { continue }
            let ease = try keyframe.ease()
            var segment = Property<Value>.Segment(start: start, end: end, from: from, to: to, ease: ease)
            segment.begin = max(start, segments.last?.end ?? start)
            guard segment.begin < end else { continue }
            segment.course = try keyframe.course(from: from, to: to)
            segments.append(segment)
        }
        // Where a time is skipped the next keyframe's value holds: gaps cannot be.
        return segments
    }

    /// A keyframe's easing to the next.
    private func ease() throws -> Ease {
        if try flag("h") { return .hold }
        guard let out = self["o"], let into = self["i"] else { return .curve(.linear) }
        let (x1, y1) = (try out["x"]?.numbers() ?? [0], try out["y"]?.numbers() ?? [0])
        let (x2, y2) = (try into["x"]?.numbers() ?? [1], try into["y"]?.numbers() ?? [1])
        guard !x1.isEmpty, !y1.isEmpty, !x2.isEmpty, !y2.isEmpty else { return .curve(.linear) }
        func at(_ list: [Double], _ index: Int) -> Double { list[min(index, list.count - 1)] }
        let curves = (0..<max(x1.count, y1.count, x2.count, y2.count)).map { index in
            let (a, b) = (at(x1, index), at(y1, index))
            let (c, d) = (at(x2, index), at(y2, index))
            return a == b && c == d ? .linear : TimingFunction(clamp01(a), b, clamp01(c), d)
        }
        return curves.dropFirst().allSatisfy { $0 == curves[0] } ? .curve(curves[0]) : .curves(curves)
    }

    /// The curved way from a keyframe to the next, if there is one.
    private func course<Value: Animatable>(from start: Value, to end: Value) throws -> SpatialCurve? {
        guard let start = start as? Point, let end = end as? Point, let out = self["to"], let into = self["ti"],
            out.isArray, into.isArray
        else { return nil }
        let tangents = (out: try out.point(), in: try into.point())
        guard tangents.out != .zero || tangents.in != .zero else { return nil }
        try log.countCurve(at: self)
        return SpatialCurve(from: start, to: end, out: tangents.out, in: tangents.in)
    }
}
