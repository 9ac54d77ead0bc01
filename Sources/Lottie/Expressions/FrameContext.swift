import Core
import Raster

/// The state that the properties of a frame share: the frame rate, the results and limits of
/// expressions, the cameras, and the limit of path operations. Each frame has its own, so its
/// values do not depend on other frames. Not thread-safe.
final class FrameContext {
    /// The frame rate in frames per second.
    let rate: Double
    let model: ExpressionModel
    /// The expressions that have failed or used an unsupported name, each with its first error, in
    /// the order of the errors.
    private(set) var failures: [(expression: Expression, error: EvaluationError)] = []
    private var results: [Key: Outcome] = [:]
    private var active: Set<Key> = []
    private var remainingSteps = FrameContext.maxSteps
    /// The remaining time for path operations, shared by everything that the frame draws or
    /// measures.
    private(set) var pathBudget = WorkBudget(microseconds: LottieLimits.maxPathMicroseconds)
    private var depth = 0
    /// The greatest depth since the current expression began.
    private var deepest = 0

    /// The cameras found so far.
    private var cameras: [CameraKey: Camera?] = [:]
    /// True if a property with keyframes or an expression has been read since `watchingChanges`
    /// began.
    private var hasChanges = false

    /// An expression at a frame of its composition.
    private struct Key: Hashable {
        let path: String
        let pathHash: Int
        let frame: Double

        init(_ expression: Expression, at frame: Double) {
            path = expression.path
            pathHash = expression.pathHash
            self.frame = frame
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(pathHash)
            hasher.combine(frame)
        }
    }

    private struct CameraKey: Hashable {
        var composition: ObjectIdentifier
        var frame: Double
    }

    private struct Outcome {
        var result: Result<ExpressionResult, EvaluationError>
        /// The levels of nesting that the evaluation needed.
        var height: Int
    }

    /// The maximum number of steps of all expressions of a frame: about a fifth of a second.
    private static let maxSteps = 1_000_000
    /// The maximum nesting depth of terms, statements, calls and expressions. The interpreter is
    /// recursive.
    private static let maxDepth = 1_000

    init(rate: Double, model: ExpressionModel = ExpressionModel()) {
        self.rate = rate
        self.model = model
    }

    /// Returns the camera of a composition at a frame, which all of its 3D layers use.
    func camera(of composition: Composition, at frame: Double, _ find: () -> Camera?) -> Camera? {
        let key = CameraKey(composition: ObjectIdentifier(composition), frame: frame)
        if let known = cameras[key] { return known }
        let camera = find()
        // An expression that is being evaluated has no value yet, so a camera that depends on it is
        // not final.
        if active.isEmpty { cameras[key] = .some(camera) }
        return camera
    }

    /// Starts with a new budget for path operations.
    func renewPathBudget() { pathBudget = WorkBudget(microseconds: LottieLimits.maxPathMicroseconds) }

    /// Records that a property that can change has been read.
    func recordChange() { hasChanges = true }

    /// Returns what `body` returns, and true if it read only constant properties, so that it
    /// returns the same at every frame.
    func watchingChanges<Value>(_ body: () -> Value) -> (value: Value, isConstant: Bool) {
        let outer = hasChanges
        hasChanges = false
        defer { hasChanges = hasChanges || outer }
        return (body(), !hasChanges)
    }

    /// Counts steps. Throws `EvaluationError` above the maximum of a frame.
    func charge(_ count: Int) throws {
        remainingSteps -= count
        guard remainingSteps >= 0 else {
            // The expression is the subject of the message.
            throw EvaluationError(
                "and the others of a frame take more than the maximum of \(Self.maxSteps) steps", kind: .limit)
        }
    }

    /// Counts a level of nesting while `body` runs.
    func nested<Value>(_ body: () throws -> Value) throws -> Value {
        depth += 1
        deepest = max(deepest, depth)
        defer { depth -= 1 }
        try checkDepth(depth)
        return try body()
    }

    /// Returns the value of `body`, and the levels of nesting that it needs.
    func measuringHeight<Value>(_ body: () throws -> Value) rethrows -> (value: Value, height: Int) {
        let outer = deepest
        deepest = depth
        defer { deepest = max(deepest, outer) }
        let value = try body()
        return (value, deepest - depth)
    }

    /// Counts the steps and levels of nesting of a result that is known already. Returns false
    /// without counting if one of them would exceed its maximum.
    func countIfAllowed(steps: Int, height: Int) -> Bool {
        guard steps <= remainingSteps, depth + height <= Self.maxDepth else { return false }
        remainingSteps -= steps
        deepest = max(deepest, depth + height)
        return true
    }

    /// Throws `EvaluationError` if `levels` more levels of nesting would exceed the maximum.
    func checkNesting(of levels: Int) throws { try checkDepth(depth + levels) }

    private func checkDepth(_ depth: Int) throws {
        guard depth <= Self.maxDepth else {
            throw EvaluationError("is nested deeper than the maximum of \(Self.maxDepth) levels", kind: .limit)
        }
    }

    /// Returns the value of a property's expression. Throws `EvaluationError` if the expression
    /// fails, or refers to itself through other expressions.
    func result(of expression: Expression, _ property: any ExpressionProperty, at frame: Double) throws
        -> ExpressionResult
    {
        // A frame that is not a number would be a key that never equals itself.
        guard frame.isFinite else { throw EvaluationError("is evaluated at a time that is not a number") }
        let key = Key(expression, at: frame)
        if let known = results[key] {
            // The outcome must not depend on whether another expression was evaluated before.
            try checkDepth(depth + known.height)
            deepest = max(deepest, depth + known.height)
            return try known.result.get()
        }
        guard active.insert(key).inserted else {
            throw EvaluationError("refers to itself through other expressions", kind: .limit)
        }
        let outer = deepest
        deepest = depth
        let outcome: Result<ExpressionResult, EvaluationError>
        do {
            let interpreter = ExpressionInterpreter(expression, of: property, at: frame, in: self)
            outcome = .success(try interpreter.run())
        } catch let error as EvaluationError {
            // A value that the program has thrown stays in its interpreter.
            outcome = .failure(EvaluationError(error.message, kind: error.kind))
        }
        active.remove(key)
        if !isLimit(outcome) || depth == 0 { results[key] = Outcome(result: outcome, height: deepest - depth) }
        deepest = max(deepest, outer)
        if case .failure(let error) = outcome { record(error, of: expression) }
        return try outcome.get()
    }

    /// Returns true if an outcome is a limit, which may not be exceeded where the expression is
    /// evaluated at another depth.
    private func isLimit(_ outcome: Result<ExpressionResult, EvaluationError>) -> Bool {
        if case .failure(let error) = outcome { error.kind == .limit } else { false }
    }

    /// Records that an expression fails, or uses an unsupported name.
    func record(_ error: EvaluationError, of expression: Expression) {
        guard failures.count < LottieLimits.maxReportedFeatures else { return }
        guard !failures.contains(where: { $0.expression.path == expression.path }) else { return }
        failures.append((expression, error))
    }
}

/// The result of an expression, without references to the program that computed it.
enum ExpressionResult: Sendable, Equatable {
    case none
    case number(Double)
    case numbers([Double])
    case path(BezierContour)
    case text(String)

    init(_ value: ExpressionValue) throws {
        switch value {
        case .undefined, .null: self = .none
        case .bool, .number: self = .number(value.number)
        case .string(let text): self = .text(text)
        case .array(let array): self = .numbers(array.items.map(\.number))
        case .path(let path): self = .path(path)
        case .object, .function, .builtin, .reference:
            throw EvaluationError("has an object or a function as its value")
        }
    }

    /// The reason why the result cannot be the value of a property, as a predicate.
    var problem: String {
        switch self {
        case .number(let number) where !number.isFinite: "has a value that is not a finite number"
        case .numbers(let list) where !list.allSatisfy(\.isFinite): "has a value that is not a finite number"
        case .text: "has a string as its value"
        default: "has a value of the wrong type or size"
        }
    }
}

/// A property as expressions see it.
protocol ExpressionProperty: Sendable {
    var expression: Expression? { get }
    /// The number of keyframes.
    var keyCount: Int { get }
    /// Returns the frame of the keyframe with an index from 0.
    func frameOfKeyframe(_ index: Int) -> Double
    /// Returns the value without the expression.
    func keyframedResult(at frame: Double) -> ExpressionResult
    /// Returns the value of a loop of the keyframes.
    func result(of loop: LoopExpression, at frame: Double, rate: Double) -> ExpressionResult
    /// Returns the value. Throws `EvaluationError` if the expression fails.
    func result(at frame: Double, in context: FrameContext) throws -> ExpressionResult
}

extension ExpressionProperty {
    func result(at frame: Double, in context: FrameContext) throws -> ExpressionResult {
        guard let expression else { return keyframedResult(at: frame) }
        if let loop = expression.loopExpression { return result(of: loop, at: frame, rate: context.rate) }
        let result = try context.result(of: expression, self, at: frame)
        return result == .none ? keyframedResult(at: frame) : result
    }
}

extension Property: ExpressionProperty {
    func keyframedResult(at frame: Double) -> ExpressionResult { keyframed(at: frame).expressionResult }

    func result(of loop: LoopExpression, at frame: Double, rate: Double) -> ExpressionResult {
        loop.value(of: self, at: frame, rate: rate).expressionResult
    }
}
