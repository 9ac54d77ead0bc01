import Core

/// Properties and their keyframes in expressions, and the names that belong to the expression's
/// own property and layer.
extension ExpressionInterpreter {
    /// Returns the value of a global name; nil if it is unknown.
    func global(_ name: String) throws -> ExpressionValue? {
        // Most names are those of variables, which programs declare.
        guard Self.globalNames.contains(name) else {
            try checkOwner()
            return nil
        }
        switch name {
        case "undefined": return .undefined
        case "NaN": return .number(.nan)
        case "Infinity": return .number(.infinity)
        case "time": return .number(time)
        case "value": return try value(property.keyframedResult(at: frame))
        case "thisProperty": return try .reference(ownProperty())
        case "thisLayer": return try .reference(ownLayer())
        case "thisComp": return try .reference(composition(ownLayer().composition))
        case "Math", "Number", "Array", "Object", "String", "Boolean", "Error": return .builtin(name)
        default: break
        }
        // Bodymovin renames `transform` where a program has a variable of that name.
        if name == "$bm_transform" { return try layerMember(ownLayer(), "transform") }
        if Self.builtins[name] != nil || Self.ownMethods.contains(name) { return .builtin(name) }
        if let value = try propertyMember(ownProperty(), property, name, isGlobal: true) { return value }
        guard let layer = try? ownLayer() else { return nil }
        return try layerMember(layer, name)
    }

    /// Returns the value of a global name; nil if it is unknown, or has no value here, such as
    /// `parent` of a layer without a parent.
    func availableGlobal(_ name: String) throws -> ExpressionValue? {
        do { return try global(name) } catch let error as EvaluationError where error.kind != .limit { return nil }
    }

    /// Returns the expression's property. Throws `EvaluationError` if the compositions are not
    /// known yet.
    func ownProperty() throws -> ExpressionReference {
        try checkOwner()
        let owner = expression.owner
        return ExpressionReference(
            kind: .property(property), composition: owner.composition, layer: owner.layer, path: expression.path)
    }

    private func checkOwner() throws {
        guard context.model.compositions.indices.contains(expression.owner.composition) else {
            throw EvaluationError("is not in a layer")
        }
    }

    /// The names that `global` knows.
    private static let globalNames = ownMethods.union(layerNames).union(builtins.keys).union([
        "undefined", "NaN", "Infinity", "time", "value", "thisProperty", "thisLayer", "thisComp", "Math", "Number",
        "Array", "Object", "String", "Boolean", "Error", "numKeys", "velocity", "speed", "$bm_transform",
    ])

    /// The methods of the own property and layer that programs call without naming them.
    private static let ownMethods: Set = [
        "key", "nearestKey", "valueAtTime", "velocityAtTime", "speedAtTime", "loopIn", "loopOut", "loopInDuration",
        "loopOutDuration", "loop_in", "loop_out", "wiggle", "temporalWiggle", "smooth", "propertyGroup", "points",
        "inTangents", "outTangents", "isClosed", "pointOnPath", "tangentOnPath",
        "normalOnPath", "effect", "content", "mask", "toComp", "toWorld", "fromComp", "fromWorld", "toCompVec",
        "toWorldVec", "fromCompVec", "fromWorldVec", "sourceRectAtTime", "comp", "fromCompToSurface",
    ]

    /// Calls a global function; returns nil if it is unknown.
    func callGlobal(_ name: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue? {
        if let builtin = Self.builtins[name] { return try builtin(self, plain(arguments)) }
        if name == "comp" {
            let name = try text(plain(arguments), 0)
            guard let index = context.model.index(named: name) else {
                throw EvaluationError("has no composition \(quoted(name.singleLine(atMost: 40)))")
            }
            return .reference(composition(index))
        }
        guard Self.ownMethods.contains(name) else { return nil }
        let arguments = try plain(arguments)
        if let value = try callProperty(ownProperty(), property, name, arguments) { return value }
        return try callLayer(ownLayer(), name, arguments)
    }

    // MARK: Properties

    func propertyMember(
        _ reference: ExpressionReference, _ property: any ExpressionProperty, _ name: String, isGlobal: Bool = false
    ) throws -> ExpressionValue? {
        switch name {
        case "propertyIndex": return try isGlobal ? nil : propertyIndex(reference)
        case "numKeys": return .number(Double(property.keyCount))
        case "velocity": return try velocity(reference, at: frame)
        case "speed": return .number(Self.magnitude(try velocity(reference, at: frame)))
        default: break
        }
        if isGlobal { return nil }
        if name == "value" { return try value(of: reference, at: frame) }
        // Any other member is one of the value, such as `length`.
        return try member(value(of: reference, at: frame), name)
    }

    func callProperty(
        _ reference: ExpressionReference, _ property: any ExpressionProperty, _ name: String,
        _ arguments: [ExpressionValue]
    ) throws -> ExpressionValue? {
        func frame(_ index: Int) -> Double { Self.number(arguments, index, or: time) * context.rate }
        switch name {
        case "valueAtTime": return try value(of: reference, at: frame(0))
        case "velocityAtTime": return try velocity(reference, at: frame(0))
        case "speedAtTime": return .number(Self.magnitude(try velocity(reference, at: frame(0))))
        case "key": return try key(Int(truncating: Self.number(arguments, 0)) - 1, of: property)
        case "nearestKey": return try nearestKey(frame(0), of: property)
        case "wiggle":
            let now = arguments.count > 4 ? frame(4) : self.frame
            return try wiggle(arguments, around: value(of: reference, at: now))
        case "temporalWiggle":
            let now = ExpressionValue.number(arguments.count > 4 ? Self.number(arguments, 4) : time)
            return try value(of: reference, at: wiggle(arguments, around: now).number * context.rate)
        case "smooth": return try smooth(reference, arguments)
        case "propertyGroup": return try propertyGroup(around: reference, Self.number(arguments, 0, or: 1))
        case "loopIn", "loopOut", "loopInDuration", "loopOutDuration", "loop_in", "loop_out":
            let layer = try model(reference).composition.layers[layerIndex(reference)]
            guard let loop = LoopExpression(name, arguments, in: layer.visibleFrames) else {
                throw EvaluationError("has invalid arguments of \(name)")
            }
            return try value(property.result(of: loop, at: self.frame, rate: context.rate))
        case "points", "inTangents", "outTangents", "isClosed", "pointOnPath", "tangentOnPath", "normalOnPath":
            return try callPath(reference, name, arguments)
        default: return nil
        }
    }

    /// The maximum number of samples of `smooth`.
    private static let maxSamples = 100.0

    /// Returns the mean of a property at times around now: `smooth(width, samples, time)`.
    private func smooth(_ reference: ExpressionReference, _ arguments: [ExpressionValue]) throws -> ExpressionValue {
        let width = Self.number(arguments, 0, or: 0.2)
        let count = min(max(Self.number(arguments, 1, or: 5), 1), Self.maxSamples).rounded(.down)
        let center = Self.number(arguments, 2, or: time)
        var sum: ExpressionValue?
        for sample in 0..<Int(count) {
            let offset = count > 1 ? width * (Double(sample) / (count - 1) - 0.5) : 0
            let value = try value(of: reference, at: (center + offset) * context.rate)
            sum = try sum.map { try apply(.add, $0, value) } ?? value
        }
        return try apply(.divide, sum ?? .undefined, .number(count))
    }

    private static func magnitude(_ value: ExpressionValue) -> Double {
        (value.components ?? []).reduce(0) { $0 + $1 * $1 }.squareRoot()
    }

    /// Returns the change of a property per second: the difference over a hundredth of a frame
    /// before a time, so that a keyframe has the velocity at which the value arrives.
    private func velocity(_ reference: ExpressionReference, at frame: Double) throws -> ExpressionValue {
        let step = 0.01
        let now = try value(of: reference, at: frame)
        let before = try value(of: reference, at: frame - step)
        return try apply(.multiply, apply(.subtract, now, before), .number(context.rate / step))
    }

    /// Returns a keyframe: an object with its time, index and value, and the value's components.
    private func key(_ index: Int, of property: any ExpressionProperty) throws -> ExpressionValue {
        guard index >= 0, index < property.keyCount else { throw EvaluationError("has no keyframe \(index + 1)") }
        let frame = property.frameOfKeyframe(index)
        let value = try value(property.keyframedResult(at: frame))
        let result = try object([
            "time": .number(frame / context.rate), "index": .number(Double(index + 1)), "value": value,
        ])
        guard case .object(let object) = result else { return result }
        for (index, component) in (value.components ?? []).enumerated() {
            object.set("\(index)", to: .number(component))
        }
        return result
    }

    private func nearestKey(_ frame: Double, of property: any ExpressionProperty) throws -> ExpressionValue {
        try charge(property.keyCount)
        let nearest = (0..<property.keyCount).min {
            abs(property.frameOfKeyframe($0) - frame) < abs(property.frameOfKeyframe($1) - frame)
        }
        guard let nearest else { throw EvaluationError("has no keyframes") }
        return try key(nearest, of: property)
    }
}
