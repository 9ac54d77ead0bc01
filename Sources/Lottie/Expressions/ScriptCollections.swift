import Core

/// The methods of texts and arrays.
extension ScriptInterpreter {
    /// Returns the range between two indices, as `slice` reads them: negative ones count from the
    /// end.
    private static func range(_ arguments: [ScriptValue], count: Int, from first: Int = 0) -> Range<Int> {
        func index(_ position: Int, _ defaultValue: Int) -> Int {
            let number = Int(truncating: number(arguments, position, or: Double(defaultValue)))
            return min(max(number < 0 ? count + number : number, 0), count)
        }
        let start = index(first, 0)
        return start..<max(start, index(first + 1, count))
    }

    private static func text(_ arguments: [ScriptValue], _ index: Int) -> String {
        index < arguments.count ? arguments[index].text() : "undefined"
    }

    /// Returns a method of texts, from a function of UTF-16 code units: JavaScript counts in them.
    private static func units(
        _ function: @escaping @Sendable ([UInt16], [ScriptValue]) throws -> ArraySlice<UInt16>
    ) -> Method {
        { interpreter, value, arguments in
            let units = Array(value.text().utf16)
            return try interpreter.string(String(decoding: function(units, arguments), as: UTF16.self))
        }
    }

    private static func test(_ function: @escaping @Sendable (String, String) -> Bool) -> Method {
        { _, value, arguments in .bool(function(value.text(), text(arguments, 0))) }
    }

    static let stringMethods: [String: Method] = [
        "charAt": units { units, arguments in
            let index = Int(truncating: number(arguments, 0, or: 0))
            return units.indices.contains(index) ? units[index...index] : []
        },
        "charCodeAt": { _, value, arguments in
            let units = Array(value.text().utf16)
            let index = Int(truncating: number(arguments, 0, or: 0))
            return .number(units.indices.contains(index) ? Double(units[index]) : .nan)
        },
        "slice": units { units, arguments in units[range(arguments, count: units.count)] },
        "substring": units { units, arguments in
            func index(_ position: Int, _ defaultValue: Int) -> Int {
                min(max(Int(truncating: number(arguments, position, or: Double(defaultValue))), 0), units.count)
            }
            let (a, b) = (index(0, 0), index(1, units.count))
            return units[min(a, b)..<max(a, b)]
        },
        "substr": units { units, arguments in
            let start = range(arguments, count: units.count).lowerBound
            let count = Int(truncating: number(arguments, 1, or: Double(units.count)))
            return units[start..<min(units.count, start + max(0, count))]
        },
        "toUpperCase": { interpreter, value, _ in try interpreter.string(value.text().uppercased()) },
        "toLowerCase": { interpreter, value, _ in try interpreter.string(value.text().lowercased()) },
        "trim": { interpreter, value, _ in try interpreter.string(value.text().trimmed) },
        "toString": { _, value, _ in value },
        "valueOf": { _, value, _ in value },
        "indexOf": { interpreter, value, arguments in
            try .number(Double(interpreter.index(of: text(arguments, 0), in: value.text()) ?? -1))
        },
        "includes": test { $1.isEmpty || $0.contains($1) }, "startsWith": test { $0.hasPrefix($1) },
        "endsWith": test { $0.hasSuffix($1) },
        "concat": { interpreter, value, arguments in
            try interpreter.string(value.text() + arguments.map { $0.text() }.joined())
        },
        "repeat": { interpreter, value, arguments in
            let count = max(0, Int(truncating: number(arguments, 0, or: 0)))
            try interpreter.charge(
                min(count, 1_000_000_000 / max(1, value.text().utf8.count)) * value.text().utf8.count)
            return try interpreter.string(String(repeating: value.text(), count: count))
        },
        "split": { interpreter, value, arguments in
            let parts = try interpreter.split(value.text(), arguments.first)
            return try interpreter.array(parts.map { .string($0) })
        },
        "replace": { interpreter, value, arguments in
            // Regular expressions are refused by the parser, so the pattern is a text.
            let parts = try interpreter.split(value.text(), arguments.first, maxParts: 2)
            return try interpreter.string(parts.joined(separator: text(arguments, 1)))
        },
        "padStart": { interpreter, value, arguments in try interpreter.padded(value.text(), arguments, atStart: true) },
        "padEnd": { interpreter, value, arguments in try interpreter.padded(value.text(), arguments, atStart: false) },
    ]

    private func padded(_ text: String, _ arguments: [ScriptValue], atStart: Bool) throws -> ScriptValue {
        let count = Int(truncating: Self.number(arguments, 0, or: 0)) - text.utf16.count
        let filler = arguments.count > 1 ? arguments[1].text() : " "
        guard count > 0, !filler.isEmpty else { return .string(text) }
        try charge(count)
        let padding = String((0..<count).map { filler[filler.index(filler.startIndex, offsetBy: $0 % filler.count)] })
        return try string(atStart ? padding + text : text + padding)
    }

    /// Returns the parts of a text between occurrences of a separator.
    private func split(_ text: String, _ separator: ScriptValue?, maxParts: Int = .max) throws -> [String] {
        guard let separator, !separator.isUndefined else { return [text] }
        let units = Array(text.utf16)
        let mark = Array(separator.text().utf16)
        try charge(units.count * max(1, mark.count) / 8)
        guard !mark.isEmpty else { return units.map { String(decoding: [$0], as: UTF16.self) } }
        var parts: [String] = []
        var start = 0
        var position = 0
        while position + mark.count <= units.count, parts.count + 1 < maxParts {
            if units[position..<(position + mark.count)].elementsEqual(mark) {
                parts.append(String(decoding: units[start..<position], as: UTF16.self))
                position += mark.count
                start = position
            } else {
                position += 1
            }
        }
        return parts + [String(decoding: units[start...], as: UTF16.self)]
    }

    private func index(of part: String, in text: String) throws -> Int? {
        let parts = try split(text, .string(part), maxParts: 2)
        if part.isEmpty { return 0 }
        return parts.count > 1 ? parts[0].utf16.count : nil
    }

    // MARK: Arrays

    /// Returns a method of arrays. Each call counts as many steps as the array has elements.
    private static func list(
        _ function: @escaping @Sendable (ScriptInterpreter, ScriptArray, [ScriptValue]) throws -> ScriptValue
    ) -> Method {
        { interpreter, value, arguments in
            guard case .array(let array) = value else { return .undefined }
            try interpreter.charge(array.items.count + arguments.count)
            return try function(interpreter, array, arguments)
        }
    }

    /// Calls a function with an element, its index and the array.
    private func visit(_ arguments: [ScriptValue], _ array: ScriptArray, _ index: Int) throws -> ScriptValue {
        guard let function = arguments.first else { throw ScriptError("calls undefined, which is not a function") }
        // The function may have shortened the array.
        let item = index < array.items.count ? array.items[index] : .undefined
        return try call(function, [item, .number(Double(index)), .array(array)])
    }

    /// Returns the index of the first element for which a function returns true.
    private func firstIndex(_ arguments: [ScriptValue], _ array: ScriptArray, is expected: Bool = true) throws -> Int? {
        var index = 0
        while index < array.items.count {
            if try visit(arguments, array, index).isTrue == expected { return index }
            index += 1
        }
        return nil
    }

    private func position(of arguments: [ScriptValue], in array: ScriptArray) throws -> Int? {
        let sought = arguments.first ?? .undefined
        return try array.items.firstIndex { try apply(.identical, $0, sought).isTrue }
    }

    static let arrayMethods: [String: Method] = [
        "push": list { _, array, arguments in
            array.items += arguments
            return .number(Double(array.items.count))
        },
        "pop": list { _, array, _ in array.items.popLast() ?? .undefined },
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
            let count = Int(truncating: number(arguments, 1, or: Double(array.items.count)))
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
            let separator = arguments.first.map { $0.text() } ?? ","
            return try interpreter.string(array.items.map { $0.text() }.joined(separator: separator))
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
            array.items = Array(repeating: arguments.first ?? .undefined, count: array.items.count)
            return .array(array)
        },
        "sort": list { interpreter, array, arguments in
            array.items = try array.items.sorted { a, b in
                guard let order = arguments.first else { return a.text() < b.text() }
                return try interpreter.call(order, [a, b]).number < 0
            }
            return .array(array)
        },
        "map": list { interpreter, array, arguments in
            var items: [ScriptValue] = []
            for index in array.items.indices { items.append(try interpreter.visit(arguments, array, index)) }
            return try interpreter.array(items)
        },
        "forEach": list { interpreter, array, arguments in
            for index in array.items.indices { _ = try interpreter.visit(arguments, array, index) }
            return .undefined
        },
        "filter": list { interpreter, array, arguments in
            var items: [ScriptValue] = []
            for (index, item) in array.items.enumerated() {
                if try interpreter.visit(arguments, array, index).isTrue { items.append(item) }
            }
            return try interpreter.array(items)
        },
        "reduce": list { interpreter, array, arguments in
            var rest = array.items.enumerated().map { $0 }[...]
            guard let function = arguments.first,
                var result = arguments.count > 1 ? arguments[1] : rest.popFirst()?.element
            else { throw ScriptError("reduces an empty array") }
            for (index, item) in rest {
                result = try interpreter.call(function, [result, item, .number(Double(index)), .array(array)])
            }
            return result
        },
        "some": list { interpreter, array, arguments in .bool(try interpreter.firstIndex(arguments, array) != nil) },
        "every": list { interpreter, array, arguments in
            .bool(try interpreter.firstIndex(arguments, array, is: false) == nil)
        },
        "find": list { interpreter, array, arguments in
            try interpreter.firstIndex(arguments, array).map { array.items[$0] } ?? .undefined
        },
        "findIndex": list { interpreter, array, arguments in
            .number(Double(try interpreter.firstIndex(arguments, array) ?? -1))
        },
    ]
}
