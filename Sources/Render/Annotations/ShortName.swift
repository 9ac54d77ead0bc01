/// Names of objects that fit into a given width.
package enum ShortName {
    /// The maximum number of characters of a number that is kept at the end of a name.
    private static let maxNumberLength = 8
    /// The characters of such numbers: `12`, `(2)`, `2 (3)`, `4-1`.
    private static let numberCharacters = Set("0123456789()-#. ")

    /// Returns the names, those that are too wide as their start and an ellipsis. If several would
    /// then be equal, they keep the part in which they differ instead: `…square_fill`.
    package static func fitting(_ names: [String], width: Double, fontSize: Double) -> [String] {
        var short = names.map { fitting($0, width: width, fontSize: fontSize) }
        for _ in 0..<maxRounds {
            let before = short
            for indices in Dictionary(grouping: names.indices, by: { before[$0] }).values {
                tellApart(names, indices, &short, width: width, fontSize: fontSize)
            }
            if short == before { break }
        }
        return numbered(short, of: names, width: width, fontSize: fontSize)
    }

    /// The maximum number of times that equal names are shortened differently. Some of a group may
    /// still be equal after the first time, because they differ further back.
    private static let maxRounds = 4

    /// Shortens names that would be equal to the part in which they differ.
    private static func tellApart(
        _ names: [String], _ indices: [Int], _ short: inout [String], width: Double, fontSize: Double
    ) {
        let group = Set(indices.map { names[$0] })
        guard group.count > 1 else { return }
        let start = commonStart(of: Array(group))
        // The word in which they differ is easier to recognize than a part of it.
        let word = start - names[indices[0]].prefix(start).suffix(while: { $0.isLetter || $0.isNumber }).count
        for kept in [word, start] {
            for index in indices {
                short[index] = ending(of: names[index], from: kept, width: width, fontSize: fontSize)
            }
            if Set(indices.map { short[$0] }).count == group.count { break }
        }
    }

    /// Returns shortened names of which all but the first of equal ones have a number instead of
    /// their end. Names that were equal before stay equal.
    private static func numbered(_ short: [String], of names: [String], width: Double, fontSize: Double) -> [String] {
        func fits(_ text: String) -> Bool { TextExtent.width(text, fontSize: fontSize) <= width }
        var taken: [String: String] = [:]
        // Whole names are not changed.
        for (name, text) in zip(names, short) where name == text { taken[text] = name }
        return zip(names, short).map { name, text in
            var text = text
            var number = 1
            while let other = taken[text], other != name {
                number += 1
                let end = "(\(number))"
                text = shortened(name[...], to: largest(name.count) { fits(shortened(name[...], to: $0) + end) }) + end
            }
            taken[text] = name
            return text
        }
    }

    /// Returns the number of characters with which all names begin.
    private static func commonStart(of names: [String]) -> Int {
        let first = Array(names[0])
        return names.dropFirst().reduce(first.count) { count, name in
            zip(first.prefix(count), name).prefix { $0 == $1 }.count
        }
    }

    /// Returns the end of a name after an ellipsis, with as much of its start as fits; or as much
    /// of the end as fits.
    private static func ending(of name: String, from start: Int, width: Double, fontSize: Double) -> String {
        func fits(_ text: String) -> Bool { TextExtent.width(text, fontSize: fontSize) <= width }
        let end = "…" + name.dropFirst(start)
        guard fits(end) else {
            let count = largest(end.count - 1) { fits(end.prefix($0) + "…") }
            return end.prefix(count) + "…"
        }
        let before = name.prefix(start)
        let count = largest(before.count) { fits(shortened(before, to: $0) + end.dropFirst()) }
        return shortened(before, to: count) + end.dropFirst()
    }

    /// Returns the largest number in 0...`limit` that satisfies a monotonic predicate, or 0.
    private static func largest(_ limit: Int, _ fits: (Int) -> Bool) -> Int {
        var low = 0
        var high = limit
        while low < high {
            let middle = (low + high + 1) / 2
            if fits(middle) { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// Returns the name, or its start and an ellipsis if it is too wide. A number at its end is
    /// kept, because designers number copies of a layer: `Square…12`.
    static func fitting(_ name: String, width: Double, fontSize: Double) -> String {
        func fits(_ text: String) -> Bool { TextExtent.width(text, fontSize: fontSize) <= width }
        if fits(name) { return name }
        let number = number(of: name)
        let start = name.dropLast(number.count)
        let kept = String(number.drop { $0 == " " || $0 == "-" })
        return shortened(start, to: largest(start.count) { fits(shortened(start, to: $0) + kept) }) + kept
    }

    private static func shortened(_ start: Substring, to count: Int) -> String {
        var kept = start.prefix(count)
        while let last = kept.last, " _-".contains(last) { kept.removeLast() }
        return kept + "…"
    }

    /// Returns the number at the end of a name with the characters before it that separate it;
    /// empty without one.
    private static func number(of name: String) -> Substring {
        let number = name.suffix(while: numberCharacters.contains)
        let isNumber = number.contains { $0.isNumber } && number.count <= maxNumberLength
        return isNumber ? number : ""
    }
}

extension StringProtocol {
    /// Returns the longest suffix of characters that satisfy a predicate.
    fileprivate func suffix(while predicate: (Character) -> Bool) -> SubSequence {
        self[(lastIndex { !predicate($0) }.map(index(after:)) ?? startIndex)...]
    }
}
