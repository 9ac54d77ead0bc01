import Core

/// Loops and `switch` statements.
extension ExpressionInterpreter {
    func loop(
        in scope: ExpressionScope, body: ExpressionStatement, while condition: (ExpressionScope) throws -> Bool
    ) throws -> Flow {
        while try condition(scope) {
            let flow = try run(body, in: scope)
            if case .break = flow { break }
            if case .return = flow { return flow }
        }
        return .normal
    }

    func runFor(
        _ first: ExpressionStatement?, _ condition: ExpressionTerm?, _ update: ExpressionTerm?,
        _ body: ExpressionStatement,
        in scope: ExpressionScope
    ) throws -> Flow {
        let value = completion
        if let first { _ = try run(first, in: scope) }
        completion = value
        var names: [String] = []
        if case .declare(let items, .let)? = first { names = items.map(\.name) }
        var scope = scope
        while try condition.map({ try isTrue($0, in: scope) }) ?? true {
            let flow = try run(body, in: scope)
            if case .break = flow { break }
            if case .return = flow { return flow }
            scope = nextIteration(scope, names)
            if let update { _ = try evaluate(update, in: scope) }
        }
        return .normal
    }

    /// Returns a scope with copies of a loop's variables. Each iteration has its own, which
    /// functions keep (ECMAScript, CreatePerIterationEnvironment).
    private func nextIteration(_ scope: ExpressionScope, _ names: [String]) -> ExpressionScope {
        guard !names.isEmpty, let parent = scope.parent else { return scope }
        let next = self.scope(in: parent)
        for name in names { next.declare(name, scope.value(name) ?? .undefined) }
        return next
    }

    func runForEach(
        _ name: String, _ variable: ExpressionVariable?, isOf: Bool, _ list: ExpressionTerm,
        _ body: ExpressionStatement, in scope: ExpressionScope
    ) throws -> Flow {
        var items: [ExpressionValue]
        switch try plain(evaluate(list, in: scope)) {
        case .array(let array):
            items = isOf ? array.items : array.items.indices.map { .string("\($0)") }
        case .object(let object) where !isOf: items = object.keys.map { .string($0) }
        case .string(let text) where isOf: items = text.unicodeScalars.map { .string(String($0)) }
        case .string(let text): items = (0..<text.codeUnitCount).map { .string("\($0)") }
        default: items = []
        }
        try charge(items.count)
        for item in items {
            let inner = self.scope(in: scope)
            try set(name, to: item, variable ?? .var, in: inner)
            let flow = try run(body, in: inner)
            if case .break = flow { break }
            if case .return = flow { return flow }
        }
        return .normal
    }

    func runSwitch(
        _ term: ExpressionTerm, _ cases: [(test: ExpressionTerm?, body: [ExpressionStatement])],
        in scope: ExpressionScope
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
}
