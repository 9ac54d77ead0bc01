import Core

/// The expression of a property: a program in After Effects' JavaScript that computes its value.
struct Expression: Sendable {
    let text: String
    let program: ExpressionFunction
    /// The property's path in the file, for messages and to tell properties from each other.
    let path: String
    /// The path's hash value. The results of a frame are found by it several times.
    let pathHash: Int
    /// The layer of the property.
    let owner: ExpressionOwner
    /// The loop, if the expression consists of a single call of a loop function.
    let loopExpression: LoopExpression?
    /// The values of the program's chains; nil if it has none.
    let chainValues: ExpressionChainValues?

    init(_ text: String, _ program: ExpressionFunction, path: String, owner: ExpressionOwner) {
        self.text = text
        self.program = program
        self.path = path
        pathHash = path.hashValue
        self.owner = owner
        loopExpression = Self.loop(program, in: owner.visibleFrames)
        chainValues = program.hasChains ? ExpressionChainValues() : nil
    }

    /// Returns the loop of a program such as `loopOut('cycle')` or
    /// `var $bm_rt; $bm_rt = loopOut('cycle');`.
    private static func loop(_ program: ExpressionFunction, in frames: Range<Double>) -> LoopExpression? {
        let statements = program.body.filter { statement in
            switch statement {
            case .empty: false
            case .declare(let items, _): items.contains { $0.value != nil }
            default: true
            }
        }
        guard statements.count == 1, case .term(var term) = statements[0] else { return nil }
        if case .assign(.name("$bm_rt"), nil, let value) = term { term = value }
        if case .call(.member(.name("thisProperty"), let name), let arguments) = term.unmarked {
            return LoopExpression(name, constants(arguments), in: frames)
        }
        guard case .call(.name(let name), let arguments) = term else { return nil }
        return LoopExpression(name, constants(arguments), in: frames)
    }

    /// Returns the values of literals; nil if one is not a literal.
    private static func constants(_ terms: [ExpressionTerm]) -> [ExpressionValue]? {
        var values: [ExpressionValue] = []
        for term in terms {
            switch term {
            case .string(let text): values.append(.string(text))
            case .number(let number): values.append(.number(number))
            default: return nil
            }
        }
        return values
    }
}

/// The layer to which an expression belongs, by the indices of its composition and of the layer.
struct ExpressionOwner: Sendable, Hashable {
    var composition: Int
    var layer: Int
    /// The frames from the layer's in point to its out point.
    var visibleFrames: Range<Double>
}

/// The reason why an expression cannot be parsed: a predicate such as `has '{' as a name`.
struct ExpressionError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description.singleLine(atMost: 100) }
}

extension LoopExpression {
    /// Creates the loop of a call of `loopIn`, `loopOut`, `loopInDuration` or `loopOutDuration`.
    /// Returns nil for another function, or arguments that it does not have.
    ///
    /// - Parameter frames: the frames from the layer's in point to its out point. A duration of 0
    ///   means up to its end, as After Effects' expression reference says.
    init?(_ name: String, _ arguments: [ExpressionValue]?, in frames: Range<Double>) {
        // Older exporters write names with an underscore, which lottie-web knows.
        let name = name == "loop_in" ? "loopIn" : name == "loop_out" ? "loopOut" : name
        guard let arguments, ["loopIn", "loopOut", "loopInDuration", "loopOutDuration"].contains(name) else {
            return nil
        }
        var kind = Kind.cycle
        if let first = arguments.first {
            guard case .string(let text) = first,
                let known = Kind(rawValue: text.lowercased().replacing("-", with: ""))
            else { return nil }
            kind = known
        }
        let count = arguments.count > 1 ? arguments[1].number : 0
        guard count >= 0, count < 1e6 else { return nil }
        let isIn = name.hasPrefix("loopIn")
        let extent: Extent =
            if !name.hasSuffix("Duration") {
                .keyframes(Int(count))
            } else if count > 0 {
                .seconds(count)
            } else {
                .frame(isIn ? frames.upperBound : frames.lowerBound)
            }
        self.init(kind: kind, isIn: isIn, extent: extent)
    }
}
