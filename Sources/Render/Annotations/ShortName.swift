import Core

/// Names of objects that fit into a given width.
enum ShortName {
    /// The maximum number of characters of a number that is kept at the end of a name.
    private static let maxNumberLength = 8
    /// The characters of such numbers: `12`, `(2)`, `2 (3)`, `4-1`.
    private static let numberCharacters = Set("0123456789()-#. ")

    /// Returns the name, or its start and an ellipsis if it is too wide. A number at its end is
    /// kept, because designers number copies of a layer: `Square…12`.
    static func fitting(_ name: String, width: Double, fontSize: Double) -> String {
        func fits(_ text: String) -> Bool { TextExtent.width(text, fontSize: fontSize) <= width }
        if fits(name) { return name }
        let number = number(of: name)
        let start = name.dropLast(number.count)
        let kept = String(number.drop { $0 == " " || $0 == "-" })
        // The widest start that fits.
        var (low, high) = (0, start.count)
        while low < high {
            let middle = (low + high + 1) / 2
            if fits(shortened(start, to: middle) + kept) { low = middle } else { high = middle - 1 }
        }
        return shortened(start, to: low) + kept
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

extension String {
    /// Returns the longest suffix of characters that satisfy a predicate.
    fileprivate func suffix(while predicate: (Character) -> Bool) -> Substring {
        self[(lastIndex { !predicate($0) }.map(index(after:)) ?? startIndex)...]
    }
}
