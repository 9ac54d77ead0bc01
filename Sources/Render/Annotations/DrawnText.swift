import Animations
import Core
import Raster

/// Texts as the installed fonts can draw them.
package enum DrawnText {
    /// The maximum number of texts whose characters are remembered.
    private static let maxKnown = 1024
    private static let gauge = try? TextGauge()
    private static let known = Locked<[String: String]>([:])

    /// Returns a text without the characters that no installed font has. They would be drawn as
    /// boxes with their codes.
    package static func text(_ string: String) -> String {
        // All fonts have these, and most texts have no others.
        if string.utf8.allSatisfy({ $0 < 0x80 }) { return string }
        if let found = known.withLock({ $0[string] }) { return found }
        let drawable = filtered(string)
        known.withLock { texts in
            if texts.count >= maxKnown { texts = [:] }
            texts[string] = drawable
        }
        return drawable
    }

    private static func filtered(_ string: String) -> String {
        guard let gauge else { return string }
        func isDrawn(_ string: String) -> Bool {
            gauge.missingCharacter(in: Text(string, frame: Rect(size: Size(0, 0)), fontSize: 12, color: .black)) == nil
        }
        if isDrawn(string) { return string }
        let lines = string.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // A removed character leaves one space between words.
            line.filter { isDrawn(String($0)) }.split(separator: " ").joined(separator: " ")
        }
        return lines.joined(separator: "\n")
    }
}

/// The names of objects in annotations, charts and tables.
package enum ObjectTitles {
    /// Returns the names as they are written: without characters that no font has. Names that are
    /// then equal to others get a number, and so does an object whose name would be empty.
    package static func texts(of titles: [LocalizedText], in language: Language) -> [String] {
        let originals = titles.map { $0.text(in: language) }
        let drawn = originals.map(DrawnText.text)
        var used = Set(zip(originals, drawn).filter { $0 == $1 }.map(\.0))
        return drawn.indices.map { index in
            guard drawn[index] != originals[index] else { return originals[index] }
            let isEmpty = drawn[index].isEmpty
            let base = isEmpty ? Glossary.phrase("object", in: language) : drawn[index]
            var name = isEmpty ? "\(base) \(index + 1)" : base
            var number = 1
            while !used.insert(name).inserted {
                number += 1
                name = "\(base) (\(number))"
            }
            return name
        }
    }
}
