import Core

/// Runs the program of an expression for one property at one frame. It has no state but its own,
/// so the result only depends on the animation and the frame.
final class ScriptInterpreter {
    let context: FrameContext
    let expression: Expression
    /// The property whose value the program computes.
    let property: any ScriptProperty
    /// The frame of the layer's composition. `posterizeTime` changes it.
    var frame: Double
    /// The state of `random`: the seed and the number of calls.
    var random: ScriptRandom
    private let top = ScriptScope(parent: nil)
    /// All arrays, objects and scopes. They can refer to each other in cycles, so `run` empties
    /// them at the end.
    private var containers: [ScriptContainer] = []
    /// The value of the last statement that is a term, which is the value of the program.
    private var completion: ScriptValue = .undefined
    private var steps = 0

    /// The maximum number of steps of a program: evaluated terms, loop iterations, and elements
    /// of arrays and texts.
    static let maxSteps = 100_000
    /// The maximum length of a text.
    private static let maxTextLength = 10_000

    private enum Flow {
        case normal
        case `break`
        case `continue`
        case `return`(ScriptValue)
    }

    init(_ expression: Expression, of property: any ScriptProperty, at frame: Double, in context: FrameContext) {
        self.expression = expression
        self.property = property
        self.frame = frame
        self.context = context
        random = ScriptRandom(path: expression.path, frame: frame)
    }

    /// Returns the program's value: that of `$bm_rt`, which exporters assign, or of the last
    /// statement.
    func run() throws -> ScriptResult {
        defer {
            top.removeAll()
            for container in containers { container.removeAll() }
        }
        let program = expression.program
        for name in program.variables { top.declare(name, try global(name) ?? .undefined) }
        declareFunctions(of: program, in: top)
        var value: ScriptValue
        if case .return(let returned) = try run(program.body, in: top) { value = returned } else { value = completion }
        if program.variables.contains("$bm_rt"), let assigned = top.value("$bm_rt") { value = assigned }
        return try ScriptResult(try plain(value))
    }

    // MARK: Limits

    /// Counts steps. Throws `ScriptError` above the maximum.
    func charge(_ count: Int = 1) throws {
        steps += count
        guard steps <= Self.maxSteps else {
            throw ScriptError("takes more than the maximum of \(Self.maxSteps) steps", kind: .limit)
        }
        try context.charge(count)
    }

    /// Returns a new array, whose elements count as steps.
    func array(_ items: [ScriptValue]) throws -> ScriptValue {
        try charge(1 + items.count)
        let array = ScriptArray(items)
        containers.append(array)
        return .array(array)
    }

    func array(_ numbers: [Double]) throws -> ScriptValue { try array(numbers.map { .number($0) }) }

    func object(_ members: KeyValuePairs<String, ScriptValue>) throws -> ScriptValue {
        try charge(1 + members.count)
        let object = ScriptObject(members)
        containers.append(object)
        return .object(object)
    }

    /// Returns a text, whose length counts as steps.
    func string(_ text: String) throws -> ScriptValue {
        let length = text.utf8.count
        try charge(1 + length / 8)
        guard length <= Self.maxTextLength else {
            throw ScriptError("has a text of more than the maximum of \(Self.maxTextLength) bytes", kind: .limit)
        }
        return .string(text)
    }

    func scope(in parent: ScriptScope) -> ScriptScope {
        let scope = ScriptScope(parent: parent)
        containers.append(scope)
        return scope
    }

    // MARK: Statements

    private func declareFunctions(of code: ScriptFunction, in scope: ScriptScope) {
        for function in code.functions { scope.declare(function.name ?? "", .function(function, scope)) }
    }

    private func run(_ statements: [ScriptStatement], in scope: ScriptScope) throws -> Flow {
        for statement in statements {
            let flow = try run(statement, in: scope)
            guard case .normal = flow else { return flow }
        }
        return .normal
    }

    private func isTrue(_ condition: ScriptTerm, in scope: ScriptScope) throws -> Bool {
        try plain(evaluate(condition, in: scope)).isTrue
    }

    private func run(_ statement: ScriptStatement, in scope: ScriptScope) throws -> Flow {
        try charge()
        return try context.nested { try runNested(statement, in: scope) }
    }

    private func runNested(_ statement: ScriptStatement, in scope: ScriptScope) throws -> Flow {
        switch statement {
        case .empty: return .normal
        case .term(let term): completion = try evaluate(term, in: scope)
        case .declare(let items, let isLexical): try declare(items, isLexical: isLexical, in: scope)
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
        case .forEach(let name, let isOf, let list, let body):
            return try runForEach(name, isOf: isOf, list, body, in: self.scope(in: scope))
        case .switch(let value, let cases): return try runSwitch(value, cases, in: self.scope(in: scope))
        case .attempt(let body, let name, let handler, let final):
            return try runAttempt(body, name, handler, final, in: scope)
        case .throw(let term): throw ScriptError(try message(evaluate(term, in: scope)))
        case .return(let term): return .return(try term.map { try evaluate($0, in: scope) } ?? .undefined)
        case .break: return .break
        case .continue: return .continue
        }
        return .normal
    }

    private func message(_ value: ScriptValue) throws -> String {
        guard case .object(let object) = value else { return try plain(value).text() }
        return object.members["message"]?.text() ?? "an error"
    }

    private func declare(
        _ items: [(name: String, value: ScriptTerm?)], isLexical: Bool, in scope: ScriptScope
    ) throws {
        for (name, term) in items {
            guard let term else {
                if isLexical { scope.declare(name, .undefined) }
                continue
            }
            let value = try evaluate(term, in: scope)
            if isLexical { scope.declare(name, value) } else { scope.assign(name, value) }
            // A program of nothing but a declaration has its value.
            if completion.isUndefined, scope === top { completion = value }
        }
    }

    private func loop(
        in scope: ScriptScope, body: ScriptStatement, update: () throws -> Void = {},
        while condition: (ScriptScope) throws -> Bool
    ) throws -> Flow {
        while try condition(scope) {
            let flow = try run(body, in: scope)
            if case .break = flow { break }
            if case .return = flow { return flow }
            try update()
        }
        return .normal
    }

    private func runFor(
        _ first: ScriptStatement?, _ condition: ScriptTerm?, _ update: ScriptTerm?, _ body: ScriptStatement,
        in scope: ScriptScope
    ) throws -> Flow {
        let value = completion
        if let first { _ = try run(first, in: scope) }
        completion = value
        func step() throws { if let update { _ = try evaluate(update, in: scope) } }
        return try loop(in: scope, body: body, update: step) { scope in
            guard let condition else { return true }
            return try self.isTrue(condition, in: scope)
        }
    }

    private func runForEach(
        _ name: String, isOf: Bool, _ list: ScriptTerm, _ body: ScriptStatement, in scope: ScriptScope
    ) throws -> Flow {
        var items: [ScriptValue]
        switch try plain(evaluate(list, in: scope)) {
        case .array(let array):
            items = isOf ? array.items : array.items.indices.map { .string("\($0)") }
        case .object(let object) where !isOf: items = object.keys.map { .string($0) }
        case .string(let text) where isOf: items = text.map { .string(String($0)) }
        default: items = []
        }
        try charge(items.count)
        for item in items {
            if scope.parent?.value(name) != nil { scope.assign(name, item) } else { scope.declare(name, item) }
            let flow = try run(body, in: scope)
            if case .break = flow { break }
            if case .return = flow { return flow }
        }
        return .normal
    }

    private func runSwitch(
        _ term: ScriptTerm, _ cases: [(test: ScriptTerm?, body: [ScriptStatement])], in scope: ScriptScope
    ) throws -> Flow {
        let value = try evaluate(term, in: scope)
        var start = cases.firstIndex { $0.test == nil }
        for (index, item) in cases.enumerated() {
            guard let test = item.test else { continue }
            if try apply(.identical, value, evaluate(test, in: scope)).isTrue {
                start = index
                break
            }
        }
        guard let start else { return .normal }
        for item in cases[start...] {
            let flow = try run(item.body, in: scope)
            if case .break = flow { return .normal }
            guard case .normal = flow else { return flow }
        }
        return .normal
    }

    private func runAttempt(
        _ body: [ScriptStatement], _ name: String?, _ handler: [ScriptStatement]?, _ final: [ScriptStatement]?,
        in scope: ScriptScope
    ) throws -> Flow {
        var result = Result { try run(body, in: self.scope(in: scope)) }
        if case .failure(let error as ScriptError) = result, error.kind != .limit, let handler {
            if error.kind == .unsupported { context.note(error, in: expression) }
            let inner = self.scope(in: scope)
            if let name { inner.declare(name, try object(["message": .string(error.message)])) }
            result = Result { try run(handler, in: inner) }
        }
        if let final {
            let flow = try run(final, in: self.scope(in: scope))
            if case .return = flow { return flow }
        }
        return try result.get()
    }

    // MARK: Functions

    /// Calls a function of the program.
    func call(_ function: ScriptFunction, _ outer: ScriptScope, _ arguments: [ScriptValue]) throws -> ScriptValue {
        try context.nested {
            let scope = self.scope(in: outer)
            try charge(1 + function.variables.count)
            // The function's own name can be overwritten by a parameter or variable.
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
