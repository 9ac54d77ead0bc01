import Core

/// The methods of arrays.
extension ExpressionInterpreter {
    /// Returns the range between two indices, as `slice` reads them: negative ones count from the
    /// end.
    static func range(_ arguments: [ExpressionValue], count: Int, from first: Int = 0) -> Range<Int> {
        func index(_ position: Int, _ defaultValue: Int) -> Int {
            let number = Int(truncating: number(arguments, position, or: Double(defaultValue)))
            return min(max(number < 0 ? count + number : number, 0), count)
        }
        let start = index(first, 0)
        return start..<max(start, index(first + 1, count))
    }

    /// Returns a method of arrays. Each call counts a step per argument and per element of the
    /// array, or one step for the whole array if it changes only the array's end.
    private static func list(
        atEnd: Bool = false,
        _ function:
            @escaping @Sendable (ExpressionInterpreter, ExpressionArray, [ExpressionValue]) throws -> ExpressionValue
    ) -> Method {
        { interpreter, value, arguments in
            guard case .array(let array) = value else { return .undefined }
            try interpreter.charge((atEnd ? 1 : array.items.count) + arguments.count)
            return try function(interpreter, array, arguments)
        }
    }

    /// Calls a function with an element, its index and the array.
    private func visit(_ arguments: [ExpressionValue], _ array: ExpressionArray, _ index: Int) throws -> ExpressionValue
    {
        guard let function = arguments.first else { throw EvaluationError("calls undefined, which is not a function") }
        // The function may have shortened the array.
        let item = index < array.items.count ? array.items[index] : .undefined
        return try call(function, [item, .number(Double(index)), .array(array)])
    }

    /// Returns the first element for which a function returns the expected result, and its index.
    /// The element is the one passed to the function, even if the function replaces it. Elements
    /// that the function appends are not visited.
    private func first(
        _ arguments: [ExpressionValue], _ array: ExpressionArray, is expected: Bool = true
    ) throws -> (index: Int, item: ExpressionValue)? {
        for index in array.items.indices where index < array.items.count {
            let item = array.items[index]
            if try visit(arguments, array, index).isTrue == expected { return (index, item) }
        }
        return nil
    }

    private func position(of arguments: [ExpressionValue], in array: ExpressionArray) throws -> Int? {
        let sought = arguments.first ?? .undefined
        let searched = ExpressionInterpreter.range(Array(arguments.prefix(2)), count: array.items.count, from: 1)
        return try searched.first { try apply(.identical, array.items[$0], sought).isTrue }
    }

    private func sorted(_ items: [ExpressionValue], by order: ExpressionValue) throws -> [ExpressionValue] {
        try items.sorted { try plain(call(order, [$0, $1])).number < 0 }
    }

    /// Returns values in the order of their strings' UTF-16 code units.
    private func sorted(_ items: [ExpressionValue]) throws -> [ExpressionValue] {
        let keyed = try items.map { (units: try text(of: $0).codeUnits, item: $0) }
        return try keyed.sorted { a, b in
            try charge(1 + min(a.units.count, b.units.count) / Self.bytesPerStep)
            return a.units.lexicographicallyPrecedes(b.units)
        }.map(\.item)
    }

    static let arrayMethods: [String: Method] = [
        "push": list(atEnd: true) { _, array, arguments in
            array.items += arguments
            return .number(Double(array.items.count))
        },
        "pop": list(atEnd: true) { _, array, _ in array.items.popLast() ?? .undefined },
        "shift": list { _, array, _ in array.items.isEmpty ? .undefined : array.items.removeFirst() },
        "unshift": list { _, array, arguments in
            array.items = arguments + array.items
            return .number(Double(array.items.count))
        },
        "slice": list { interpreter, array, arguments in
            try interpreter.array(Array(array.items[range(arguments, count: array.items.count)]))
        },
        "splice": list { interpreter, array, arguments in
            let start = range(arguments, count: array.items.count).lowerBound
            // Only a missing count means all elements.
            let count = arguments.count == 1 ? array.items.count : Int(truncating: number(arguments, 1, or: 0))
            let end = min(array.items.count, start + max(0, count))
            let removed = try interpreter.array(Array(array.items[start..<end]))
            array.items.replaceSubrange(start..<end, with: arguments.dropFirst(2))
            return removed
        },
        "concat": list { interpreter, array, arguments in
            var items = array.items
            for value in arguments {
                guard case .array(let other) = value else {
                    items.append(value)
                    continue
                }
                try interpreter.charge(other.items.count)
                items += other.items
            }
            return try interpreter.array(items)
        },
        "join": list { interpreter, array, arguments in
            let separator = arguments.first.map { !$0.isUndefined } == true ? try interpreter.text(arguments, 0) : ","
            return .string(try interpreter.join(array, separator: separator))
        },
        "indexOf": list { interpreter, array, arguments in
            try .number(Double(interpreter.position(of: arguments, in: array) ?? -1))
        },
        "includes": list { interpreter, array, arguments in
            try .bool(interpreter.position(of: arguments, in: array) != nil)
        },
        "reverse": list { _, array, _ in
            array.items.reverse()
            return .array(array)
        },
        "fill": list { _, array, arguments in
            for index in range(arguments, count: array.items.count, from: 1) {
                array.items[index] = arguments.first ?? .undefined
            }
            return .array(array)
        },
        "sort": list { interpreter, array, arguments in
            let items = array.items.filter { !$0.isUndefined }
            // The function may change the array.
            let undefinedCount = array.items.count - items.count
            let order = arguments.first.flatMap { $0.isUndefined ? nil : $0 }
            let sorted = try order.map { try interpreter.sorted(items, by: $0) } ?? interpreter.sorted(items)
            // Undefined elements come last in any order.
            array.items = sorted + Array(repeating: .undefined, count: undefinedCount)
            return .array(array)
        },
        "map": list { interpreter, array, arguments in
            var items: [ExpressionValue] = []
            for index in array.items.indices { items.append(try interpreter.visit(arguments, array, index)) }
            return try interpreter.array(items)
        },
        "forEach": list { interpreter, array, arguments in
            for index in array.items.indices { _ = try interpreter.visit(arguments, array, index) }
            return .undefined
        },
        "filter": list { interpreter, array, arguments in
            var items: [ExpressionValue] = []
            for index in array.items.indices where index < array.items.count {
                let item = array.items[index]
                if try interpreter.visit(arguments, array, index).isTrue { items.append(item) }
            }
            return try interpreter.array(items)
        },
        "reduce": list { interpreter, array, arguments in
            var rest = array.items.enumerated().map { $0 }[...]
            guard let function = arguments.first,
                var result = arguments.count > 1 ? arguments[1] : rest.popFirst()?.element
            else { throw EvaluationError("reduces an empty array") }
            for (index, item) in rest {
                result = try interpreter.call(function, [result, item, .number(Double(index)), .array(array)])
            }
            return result
        },
        "some": list { interpreter, array, arguments in .bool(try interpreter.first(arguments, array) != nil) },
        "every": list { interpreter, array, arguments in
            .bool(try interpreter.first(arguments, array, is: false) == nil)
        },
        "find": list { interpreter, array, arguments in
            try interpreter.first(arguments, array)?.item ?? .undefined
        },
        "findIndex": list { interpreter, array, arguments in
            .number(Double(try interpreter.first(arguments, array)?.index ?? -1))
        },
    ]
}
