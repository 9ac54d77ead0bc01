import Core

/// An interpreter of an expression's program for one property at one frame. Shares only the results
/// and limits of the frame's context with other programs, so the result only depends on the
/// animation and the frame.
final class ExpressionInterpreter {
    let context: FrameContext
    let expression: Expression
    /// The property whose value the program computes.
    let property: any ExpressionProperty
    /// The frame of the layer's composition. `posterizeTime` changes it, also for random numbers.
    var frame: Double {
        get {
            hasReadState = true
            return currentFrame
        }
        set {
            currentFrame = newValue
            random.frame = newValue
        }
    }
    private var currentFrame: Double
    /// True if the frame or the value of a property has been read, so that a value can differ at
    /// another frame.
    var hasReadState = false
    /// The state of `random`: the seed and the number of calls.
    var random: ExpressionRandom
    private let top = ExpressionScope(parent: nil, isFunction: true)
    /// All arrays, objects and scopes. They can refer to each other in cycles, so `run` empties
    /// them at the end.
    var containers: [ExpressionContainer] = []
    /// The value of the last expression statement, or of the last declaration if there is none: the
    /// program's value unless it returns one or assigns `$bm_rt`.
    var completion: (value: ExpressionValue, isDeclared: Bool) = (.undefined, true)
    var steps = 0
    /// The values of errors that `throw` has made and no handler has caught, by number. A program
    /// can throw in `finally` while an earlier error is pending.
    private var thrownValues: [Int: ExpressionValue] = [:]
    private var thrownCount = 0
    /// The programs that `eval` has parsed, by text.
    private var programs: [String: ExpressionFunction] = [:]
    /// The arrays that are being converted to strings, the outermost first.
    var joinedArrays: [ExpressionArray] = []

    /// The continuation after a statement.
    enum Flow {
        case normal
        case `break`
        case `continue`
        case `return`(ExpressionValue)
    }

    init(_ expression: Expression, of property: any ExpressionProperty, at frame: Double, in context: FrameContext) {
        self.expression = expression
        self.property = property
        currentFrame = frame
        self.context = context
        random = ExpressionRandom(path: expression.path, frame: frame)
    }

    /// Returns the program's value: that of `$bm_rt`, which exporters assign, or of the last
    /// statement.
    func run() throws -> ExpressionResult {
        defer {
            top.removeAll()
            for container in containers { container.removeAll() }
        }
        let program = expression.program
        try declareVariables(of: program, in: top)
        declareFunctions(of: program, in: top)
        var value: ExpressionValue
        if case .return(let returned) = try run(program.body, in: top) {
            value = returned
        } else {
            value = completion.value
        }
        if program.variables.contains("$bm_rt"), let assigned = top.value("$bm_rt") { value = assigned }
        value = try plain(value)
        if case .object(let object) = value { value = try path(of: object) ?? value }
        return try ExpressionResult(value)
    }

    /// Returns the value of a program's text in a scope: JavaScript's `eval`. Any other value is
    /// its own result.
    func evaluate(program value: ExpressionValue, in scope: ExpressionScope) throws -> ExpressionValue {
        guard case .string(let text) = try plain(value) else { return value }
        try context.checkNesting(of: ExpressionParser.maxDepth)
        var program = programs[text]
        if program == nil {
            // Parsing a byte takes about as long as four steps.
            try charge(4 * text.utf8.count)
            do { program = try ExpressionParser.program(text, marksChains: false) } catch let error as ExpressionError {
                throw EvaluationError("evaluates a text that \(error.description)")
            }
            programs[text] = program
        }
        guard let program else { return .undefined }
        try charge(1 + text.utf8.count / Self.bytesPerStep)
        // As in JavaScript, `var` and functions belong to the caller, `let` and `const` to the
        // text.
        try declareVariables(of: program, in: scope.function)
        declareFunctions(of: program, in: scope.function)
        let inner = self.scope(in: scope)
        let outer = completion
        defer { completion = outer }
        completion = (.undefined, false)
        guard case .normal = try run(program.body, in: inner) else {
            throw EvaluationError("evaluates a text with return, break or continue at its top level")
        }
        return completion.value
    }

    // MARK: Statements

    /// Declares the variables of a program that a scope does not have. In the outermost scope, they
    /// have the values of After Effects' own names.
    private func declareVariables(of program: ExpressionFunction, in scope: ExpressionScope) throws {
        for name in program.variables where !scope.declares(name) {
            scope.declare(name, try scope === top ? availableGlobal(name) ?? .undefined : .undefined)
        }
    }

    private func declareFunctions(of code: ExpressionFunction, in scope: ExpressionScope) {
        for function in code.functions { scope.declare(function.name ?? "", .function(function, scope)) }
    }

    func run(_ statements: [ExpressionStatement], in scope: ExpressionScope) throws -> Flow {
        for statement in statements {
            let flow = try run(statement, in: scope)
            guard case .normal = flow else { return flow }
        }
        return .normal
    }

    func isTrue(_ condition: ExpressionTerm, in scope: ExpressionScope) throws -> Bool {
        try plain(evaluate(condition, in: scope)).isTrue
    }

    func run(_ statement: ExpressionStatement, in scope: ExpressionScope) throws -> Flow {
        try charge()
        return try context.nested { try runNested(statement, in: scope) }
    }

    private func runNested(_ statement: ExpressionStatement, in scope: ExpressionScope) throws -> Flow {
        switch statement {
        case .empty: return .normal
        case .term(let term): completion = (try evaluate(term, in: scope), false)
        case .function(let function):
            // A function of a block refers to the block's variables.
            let name = function.name ?? ""
            if case .function(let known, _)? = scope.value(name), known === function {
                try scope.assign(name, .function(function, scope))
            }
        case .declare(let items, let variable): try declare(items, variable, in: scope)
        case .block(let statements): return try run(statements, in: self.scope(in: scope))
        case .conditional(let condition, let then, let otherwise):
            if try isTrue(condition, in: scope) { return try run(then, in: scope) }
            if let otherwise { return try run(otherwise, in: scope) }
        case .while(let condition, let body):
            return try loop(in: scope, body: body) { try self.isTrue(condition, in: $0) }
        case .doWhile(let body, let condition):
            var isFirst = true
            return try loop(in: scope, body: body) { scope in
                defer { isFirst = false }
                return try isFirst || self.isTrue(condition, in: scope)
            }
        case .for(let first, let condition, let update, let body):
            return try runFor(first, condition, update, body, in: self.scope(in: scope))
        case .forEach(let name, let variable, let isOf, let list, let body):
            return try runForEach(name, variable, isOf: isOf, list, body, in: scope)
        case .switch(let value, let cases): return try runSwitch(value, cases, in: self.scope(in: scope))
        case .tryCatch(let body, let name, let handler, let final):
            return try runTryCatch(body, name, handler, final, in: scope)
        case .throw(let term): throw try error(throwing: evaluate(term, in: scope))
        case .return(let term): return .return(try term.map { try evaluate($0, in: scope) } ?? .undefined)
        case .break: return .break
        case .continue: return .continue
        }
        return .normal
    }

    /// Returns the error for a thrown value, and keeps the value.
    private func error(throwing value: ExpressionValue) throws -> EvaluationError {
        var text = try self.text(of: plain(value))
        if case .object(let object) = value {
            text = try object.members["message"].map { try self.text(of: $0) } ?? "an error"
        }
        thrownCount += 1
        thrownValues[thrownCount] = value
        return EvaluationError("throws \(quoted(text.singleLine(atMost: 40)))", thrownID: thrownCount)
    }

    private func declare(
        _ items: [(name: String, value: ExpressionTerm?)], _ variable: ExpressionVariable, in scope: ExpressionScope
    ) throws {
        for (name, term) in items {
            guard let term else {
                if variable != .var { scope.declare(name, .undefined) }
                continue
            }
            let value = try evaluate(term, in: scope)
            try set(name, to: value, variable, in: scope)
            if completion.isDeclared, scope === top { completion = (value, true) }
        }
    }

    /// Gives a variable the value of its declaration.
    func set(_ name: String, to value: ExpressionValue, _ variable: ExpressionVariable, in scope: ExpressionScope)
        throws
    {
        guard variable != .var else { return try scope.assign(name, value) }
        scope.declare(name, value, isConstant: variable == .constant)
    }

    private func runTryCatch(
        _ body: [ExpressionStatement], _ name: String?, _ handler: [ExpressionStatement]?,
        _ final: [ExpressionStatement]?,
        in scope: ExpressionScope
    ) throws -> Flow {
        var result = Result { try run(body, in: self.scope(in: scope)) }
        if case .failure(let error as EvaluationError) = result, error.kind != .limit, let handler {
            if error.kind == .unsupported { context.record(error, of: expression) }
            let inner = self.scope(in: scope)
            let thrown = error.thrownID.flatMap { thrownValues.removeValue(forKey: $0) }
            if let name { inner.declare(name, try thrown ?? object(["message": .string(error.message)])) }
            result = Result { try run(handler, in: inner) }
        }
        if let final {
            if case .failure(let error as EvaluationError) = result, error.kind == .limit { throw error }
            let flow = try run(final, in: self.scope(in: scope))
            guard case .normal = flow else { return flow }
        }
        return try result.get()
    }

    // MARK: Functions

    /// Calls a function of the program.
    func call(_ function: ExpressionFunction, _ outer: ExpressionScope, _ arguments: [ExpressionValue]) throws
        -> ExpressionValue
    {
        try context.nested {
            let scope = self.scope(in: outer, isFunction: true)
            try charge(1 + function.variables.count)
            // A variable hides a function of the same name in the outer scope, as in JavaScript.
            for name in function.variables { scope.declare(name, .undefined) }
            scope.declare("arguments", try array(arguments))
            for (index, parameter) in function.parameters.enumerated() {
                var value = index < arguments.count ? arguments[index] : .undefined
                if value.isUndefined, let term = parameter.defaultValue { value = try evaluate(term, in: scope) }
                scope.declare(parameter.name, value)
            }
            declareFunctions(of: function, in: scope)
            // Statements of a function do not change the value of the program.
            let value = completion
            defer { completion = value }
            if case .return(let result) = try run(function.body, in: scope) { return result }
            return .undefined
        }
    }
}
