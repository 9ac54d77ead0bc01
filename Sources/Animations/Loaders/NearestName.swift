import Core

/// The suggestion of the known name that is most similar to an unknown one.
public enum NearestName {
    /// Names match within an edit distance of one, or of a third of the longer name's characters:
    /// about one typo per syllable. With a larger distance, a short name would match almost
    /// anything.
    private static let charactersPerTypo = 3
    /// The maximum length of words that must also begin with the same character: a typo changes
    /// half of them. `cn` does not match `en`.
    private static let shortLength = 2
    /// The minimum length of a common prefix that makes two names match: `slowmotion` matches
    /// `slowmo`.
    private static let minPrefix = 3
    /// The maximum length of a word in characters. A longer word is not a misspelled name and would
    /// take long to compare.
    private static let maxLength = 64

    /// Returns the name in `known` that is most similar to `word`, ignoring case; nil if none is
    /// similar.
    ///
    /// Names at distance one come first, then names of which one is a prefix of the other, then
    /// others by distance. Ties go to a name with a common prefix, and then to the first in
    /// alphabetical order.
    public static func of(_ word: String, in known: some Sequence<String>) -> String? {
        // A short number is another value, not a misspelled one: 16 does not mean 10.
        let isShortNumber = word.hasOnlyASCIIDigits && word.count < minPrefix
        guard !isShortNumber, word.unicodeScalars.count <= maxLength else { return nil }
        return known.filter { $0.unicodeScalars.count <= maxLength }
            .compactMap { name in rank(word.lowercased(), name).map { (name, $0) } }
            .min { ($0.1.group, $0.1.distance, $0.1.prefix, $0.0) < ($1.1.group, $1.1.distance, $1.1.prefix, $1.0) }?.0
    }

    /// Returns `did you mean 'NAME'?`, or nil if no name is similar.
    public static func question(_ word: String, in known: some Sequence<String>) -> String? {
        of(word, in: known).map { "did you mean '\($0)'?" }
    }

    /// Returns the rank of a name, where smaller is more similar; nil if it does not match.
    private static func rank(_ word: String, _ name: String) -> (group: Int, distance: Int, prefix: Int)? {
        let lowered = name.lowercased()
        let distance = editDistance(word, lowered)
        let isPrefix =
            min(word.count, lowered.count) >= minPrefix && (word.hasPrefix(lowered) || lowered.hasPrefix(word))
        let isNear = distance <= max(1, max(word.count, lowered.count) / charactersPerTypo)
        // A name that shares no characters is not a match.
        guard isPrefix || isNear, distance < max(word.count, lowered.count) else { return nil }
        if max(word.count, lowered.count) <= shortLength, word.first != lowered.first { return nil }
        return (distance <= 1 ? 0 : isPrefix ? 1 : 2, distance, isPrefix ? 0 : 1)
    }

    /// Returns the Damerau-Levenshtein distance: the number of insertions, deletions, substitutions
    /// and swaps of adjacent characters.
    static func editDistance(_ a: String, _ b: String) -> Int {
        let a = Array(a)
        let b = Array(b)
        let tooFar = a.count + b.count
        // Row and column 0 are sentinels before both words; row and column 1 stand for their empty
        // prefixes.
        var costs = [[Int]](repeating: [Int](repeating: tooFar, count: b.count + 2), count: a.count + 2)
        for i in 0...a.count { costs[i + 1][1] = i }
        for j in 0...b.count { costs[1][j + 1] = j }
        var lastRow: [Character: Int] = [:]
        for (i, character) in a.enumerated() {
            var lastColumn = 0
            for (j, other) in b.enumerated() {
                let swapRow = lastRow[other] ?? 0
                let swapped = costs[swapRow][lastColumn] + (i - swapRow) + 1 + (j - lastColumn)
                let replaced = costs[i + 1][j + 1] + (character == other ? 0 : 1)
                costs[i + 2][j + 2] = min(replaced, costs[i + 2][j + 1] + 1, costs[i + 1][j + 2] + 1, swapped)
                if character == other { lastColumn = j + 1 }
            }
            lastRow[character] = i + 1
        }
        return costs[a.count + 1][b.count + 1]
    }
}
