import Core

/// The conversion of values to strings, and the methods of strings.
extension ExpressionInterpreter {
    /// Returns a value as a string, as `String(value)`. Its bytes count as steps.
    func text(of value: ExpressionValue) throws -> String {
        switch value {
        case .undefined: return "undefined"
        case .null: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .number(let number): return number.expressionText
        case .string(let text):
            try charge(text.utf8.count / Self.bytesPerStep)
            return text
        case .array(let array): return try join(array, separator: ",")
        case .object, .reference, .path: return "[object Object]"
        case .function, .builtin: return "function"
        }
    }

    /// Returns an argument as a string; `undefined` if it is missing, as in JavaScript.
    func text(_ arguments: [ExpressionValue], _ index: Int) throws -> String {
        try text(of: index < arguments.count ? arguments[index] : .undefined)
    }

    /// Returns the elements of an array as a string. `undefined` and `null` are empty, and so is an
    /// array within itself.
    func join(_ array: ExpressionArray, separator: String) throws -> String {
        guard !joinedArrays.contains(where: { $0 === array }) else { return "" }
        joinedArrays.append(array)
        defer { joinedArrays.removeLast() }
        var result = ""
        for (index, item) in array.items.enumerated() {
            if index > 0 { result += separator }
            switch item {
            case .undefined, .null: try charge()
            case .array: result += try context.nested { try text(of: item) }
            default:
                try charge()
                result += try text(of: item)
            }
            try checkLength(result)
        }
        return result.joiningSurrogates
    }

    // MARK: Methods

    /// Returns a method of strings, from a function of UTF-16 code units.
    private static func units(
        _ function: @escaping @Sendable ([UInt16], [ExpressionValue]) throws -> ArraySlice<UInt16>
    ) -> Method {
        { interpreter, value, arguments in
            let units = try interpreter.text(of: value).codeUnits
            return try interpreter.string(String(codeUnits: function(units, arguments)))
        }
    }

    /// Returns a method that compares the beginning or the end of a string with the argument.
    private static func test(
        _ function: @escaping @Sendable (_ units: [UInt16], _ part: [UInt16], _ arguments: [ExpressionValue]) -> Bool
    ) -> Method {
        { interpreter, value, arguments in
            let units = try interpreter.text(of: value).codeUnits
            return .bool(function(units, try interpreter.text(arguments, 0).codeUnits, arguments))
        }
    }

    /// Returns an argument as an index in a string.
    private static func index(_ arguments: [ExpressionValue], _ position: Int, or defaultValue: Int, count: Int) -> Int
    {
        min(max(Int(truncating: number(arguments, position, or: Double(defaultValue))), 0), count)
    }

    static let stringMethods: [String: Method] = [
        "charAt": units { units, arguments in
            let index = Int(truncating: number(arguments, 0, or: 0))
            return units.indices.contains(index) ? units[index...index] : []
        },
        "charCodeAt": { interpreter, value, arguments in
            let units = try interpreter.text(of: value).codeUnits
            let index = Int(truncating: number(arguments, 0, or: 0))
            return .number(units.indices.contains(index) ? Double(units[index]) : .nan)
        },
        "slice": units { units, arguments in units[range(arguments, count: units.count)] },
        "substring": units { units, arguments in
            let a = index(arguments, 0, or: 0, count: units.count)
            let b = index(arguments, 1, or: units.count, count: units.count)
            return units[min(a, b)..<max(a, b)]
        },
        "substr": units { units, arguments in
            let start = range(arguments, count: units.count).lowerBound
            let count = Int(truncating: number(arguments, 1, or: Double(units.count)))
            return units[start..<min(units.count, start + max(0, count))]
        },
        "toUpperCase": { interpreter, value, _ in try interpreter.string(interpreter.text(of: value).uppercased()) },
        "toLowerCase": { interpreter, value, _ in try interpreter.string(interpreter.text(of: value).lowercased()) },
        "trim": { interpreter, value, _ in try interpreter.string(interpreter.text(of: value).trimmed) },
        "toString": { _, value, _ in value },
        "valueOf": { _, value, _ in value },
        "indexOf": { interpreter, value, arguments in
            .number(Double(try interpreter.index(arguments, in: value) ?? -1))
        },
        "includes": { interpreter, value, arguments in .bool(try interpreter.index(arguments, in: value) != nil) },
        "startsWith": test { units, part, arguments in
            units.dropFirst(index(arguments, 1, or: 0, count: units.count)).starts(with: part)
        },
        "endsWith": test { units, part, arguments in
            units.prefix(index(arguments, 1, or: units.count, count: units.count)).suffix(part.count)
                .elementsEqual(part)
        },
        "concat": { interpreter, value, arguments in
            try arguments.reduce(value) { try interpreter.string(interpreter.text(of: $0) + interpreter.text(of: $1)) }
        },
        "repeat": { interpreter, value, arguments in
            let text = try interpreter.text(of: value)
            let count = max(0, Int(truncating: number(arguments, 0, or: 0)))
            guard !text.isEmpty else { return .string("") }
            // A count above the maximum length is too much for any string.
            let length = min(count, maxTextLength + 1) * text.utf8.count
            try interpreter.charge(length)
            guard length <= maxTextLength else { throw textLengthError }
            return .string(String(repeating: text, count: count).joiningSurrogates)
        },
        "split": { interpreter, value, arguments in
            let parts = try interpreter.split(interpreter.text(of: value), arguments.first)
            let count = max(0, Int(truncating: number(arguments, 1, or: Double(parts.count))))
            return try interpreter.array(parts.prefix(count).map { .string($0) })
        },
        "replace": { interpreter, value, arguments in
            // Regular expressions are refused by the parser, so the pattern is a string.
            let text = try interpreter.text(of: value)
            let pattern = try interpreter.text(arguments, 0)
            let parts = pattern.isEmpty ? ["", text] : try interpreter.split(text, .string(pattern), maxParts: 2)
            guard parts.count == 2 else { return .string(text) }
            let replacement = arguments.count > 1 ? arguments[1] : .undefined
            guard case .function = replacement else {
                let inserted = try interpreter.expanded(
                    interpreter.text(of: replacement), match: pattern, before: parts[0], after: parts[1])
                return try interpreter.string(parts[0] + inserted + parts[1])
            }
            let position = ExpressionValue.number(Double(parts[0].codeUnitCount))
            let result = try interpreter.call(replacement, [.string(pattern), position, .string(text)])
            return try interpreter.string(parts[0] + interpreter.text(of: interpreter.plain(result)) + parts[1])
        },
        "padStart": { interpreter, value, arguments in try interpreter.padded(value, arguments, atStart: true) },
        "padEnd": { interpreter, value, arguments in try interpreter.padded(value, arguments, atStart: false) },
    ]

    /// Returns a replacement with the parts that it refers to (ECMAScript, GetSubstitution): a
    /// match as `$&`, the text before it as "$`" and the text after it as `$'`.
    private func expanded(_ replacement: String, match: String, before: String, after: String) throws -> String {
        let parts: [Unicode.Scalar: String] = ["$": "$", "&": match, "`": before, "'": after]
        var result = ""
        var rest = replacement.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            let part = scalar == "$" ? rest.first.flatMap { parts[$0] } : nil
            if part != nil { rest.removeFirst() }
            result += part ?? String(scalar)
            try checkLength(result)
        }
        return result
    }

    private func padded(_ value: ExpressionValue, _ arguments: [ExpressionValue], atStart: Bool) throws
        -> ExpressionValue
    {
        let text = try text(of: value)
        let count = Int(truncating: Self.number(arguments, 0, or: 0)) - text.codeUnitCount
        let filler = (arguments.count > 1 ? try self.text(arguments, 1) : " ").codeUnits
        guard count > 0, !filler.isEmpty else { return .string(text) }
        try charge(count)
        guard count <= Self.maxTextLength else { throw Self.textLengthError }
        let padding = String(codeUnits: (0..<count).map { filler[$0 % filler.count] })
        return try string(atStart ? padding + text : text + padding)
    }

    /// Returns the parts of a string between occurrences of a separator.
    private func split(_ text: String, _ separator: ExpressionValue?, maxParts: Int = .max) throws -> [String] {
        guard let separator, !separator.isUndefined else { return [text] }
        let units = text.codeUnits
        let mark = try self.text(of: separator).codeUnits
        try charge(units.count * max(1, mark.count) / Self.bytesPerStep)
        guard !mark.isEmpty else { return units.map { String(codeUnits: [$0]) } }
        var parts: [String] = []
        var start = 0
        var position = 0
        while position + mark.count <= units.count, parts.count + 1 < maxParts {
            if units[position..<(position + mark.count)].elementsEqual(mark) {
                parts.append(String(codeUnits: units[start..<position]))
                position += mark.count
                start = position
            } else {
                position += 1
            }
        }
        return parts + [String(codeUnits: units[start...])]
    }

    /// Returns the position in a string of the first argument, from that of the second one on.
    private func index(_ arguments: [ExpressionValue], in value: ExpressionValue) throws -> Int? {
        let units = try text(of: value).codeUnits
        let start = Self.index(arguments, 1, or: 0, count: units.count)
        let part = try text(arguments, 0).codeUnits
        try charge((units.count - start) * max(1, part.count) / Self.bytesPerStep)
        guard part.count <= units.count - start else { return nil }
        return (start...(units.count - part.count)).first { units[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
