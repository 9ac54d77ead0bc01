import Core

/// A character of a laid out text.
struct TextCharacter {
    var character: Character
    /// For each unit of range selectors, the index of the unit that contains the character.
    var indices: [TextSelector.Basis: Int]
    /// The width without tracking, in points.
    var width: Double
    /// The group of characters with a common anchor point, by index.
    var group = 0
    /// The sum of the widths in the group, in points.
    var groupWidth = 0.0
    /// The sum of the widths before the character in the group, in points.
    var groupOffset = 0.0
}

/// The lines that a text document breaks into, with their widths.
struct TextLines {
    struct Line {
        var characters: [Character]
        /// True for the last line of a paragraph, which justified text does not stretch.
        var endsParagraph: Bool
    }

    private let document: TextModel.Document

    init(_ document: TextModel.Document) { self.document = document }

    /// The document's tracking in points, after each character.
    var tracking: Double { document.tracking / 1000 * document.size }

    /// Returns the width of a character without tracking, in points.
    func width(of character: Character) -> Double {
        // Glyphs have a font size of 100.
        (document.glyphs[character]?.advance ?? 0) / 100 * document.size
    }

    /// Returns the width of a line without trailing spaces and without the tracking after the last
    /// character.
    func visibleWidth(of line: [Character]) -> Double {
        let end = line.lastIndex { !$0.isWhitespace } ?? -1
        return end < 0 ? 0 : width(of: Array(line[...end])) - tracking
    }

    private func width(of line: [Character]) -> Double { line.reduce(0) { $0 + (width(of: $1) + tracking) } }

    /// The lines of the text. Box text is also wrapped, at the last space that fits or, in a word
    /// that is wider than the box, between characters. Spaces and the tracking after the last
    /// character do not count, as in lottie-web.
    var wrapped: [Line] {
        let paragraphs = document.text.split(omittingEmptySubsequences: false) { TextModel.lineBreaks.contains($0) }
        guard let box = document.box, box.width > 0 else {
            return paragraphs.map { Line(characters: Array($0), endsParagraph: true) }
        }
        return paragraphs.flatMap { paragraph -> [Line] in
            var result: [Line] = []
            var current: [Character] = []
            var currentWidth = 0.0
            for character in paragraph {
                if currentWidth + width(of: character) > box.width, character != " ", !current.isEmpty {
                    let space = current.lastIndex(of: " ")
                    result.append(
                        Line(characters: Array(current[..<(space ?? current.endIndex)]), endsParagraph: false))
                    current = space.map { Array(current[($0 + 1)...]) } ?? []
                    currentWidth = width(of: current)
                }
                current.append(character)
                currentWidth += width(of: character) + tracking
            }
            return result + [Line(characters: current, endsParagraph: true)]
        }
    }

    /// Returns the characters of lines with their indices and groups.
    func characters(of lines: [Line], grouping: TextModel.Grouping) -> [[TextCharacter]] {
        var result: [[TextCharacter]] = []
        var count = 0
        var nonspaces = 0
        var words = -1
        var group = 0
        for (lineIndex, line) in lines.enumerated() {
            var isInWord = false
            var characters: [TextCharacter] = []
            for character in line.characters {
                let isSpace = character.isWhitespace
                if !isSpace, !isInWord { words += 1 }
                isInWord = !isSpace
                characters.append(
                    TextCharacter(
                        character: character,
                        indices: [
                            .characters: count, .charactersWithoutSpaces: nonspaces, .words: max(0, words),
                            .lines: lineIndex,
                        ], width: width(of: character), group: group))
                count += 1
                nonspaces += isSpace ? 0 : 1
                // A space belongs to the word before it, but does not widen it.
                if grouping == .characters || grouping == .words && character == " " { group += 1 }
            }
            if grouping != .characters { group += 1 }
            result.append(Self.grouped(characters, grouping))
        }
        return result
    }

    private static func grouped(_ line: [TextCharacter], _ grouping: TextModel.Grouping) -> [TextCharacter] {
        var line = line
        for range in Self.groups(of: line) {
            var offset = 0.0
            for index in range {
                line[index].groupOffset = offset
                let isGap = grouping == .words && line[index].character == " "
                offset += isGap ? 0 : line[index].width
            }
            for index in range { line[index].groupWidth = offset }
        }
        return line
    }

    /// Returns the ranges of a line's characters with the same group.
    private static func groups(of line: [TextCharacter]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in line.indices {
            if let last = ranges.last, line[last.lowerBound].group == line[index].group {
                ranges[ranges.count - 1] = last.lowerBound..<index + 1
            } else {
                ranges.append(index..<index + 1)
            }
        }
        return ranges
    }
}
