import Animations

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
