/// Returns a word, quoted if necessary, so that a shell reads it as one argument.
package func shellQuoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "._/-".unicodeScalars.contains(scalar)
    }
    if isPlain, !word.isEmpty { return word }
    // Within double quotes, shells still expand these.
    let isExpanded = word.unicodeScalars.contains { "\"$`\\!".unicodeScalars.contains($0) }
    return isExpanded ? "'" + word.replacing("'", with: "'\\''") + "'" : "\"\(word)\""
}
