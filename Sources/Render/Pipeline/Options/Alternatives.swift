extension [String] {
    /// The words as alternatives in a sentence, such as `mp4, mov or svg`.
    var alternatives: String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
