extension String {
    /// The text in one line of so many letters at most, without what changes how other text looks: controls and marks of
    /// direction. Names in files come from strangers, and go to terminals, tables and pictures.
    func plain(atMost count: Int) -> String {
        // Letters can be put together from any number of marks, and spaces be as many.
        let scalars = unicodeScalars.prefix(8 * count).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: Character(" ")
            default: Character(scalar)
            }
        }
        return String(String(scalars).split(separator: " ").joined(separator: " ").prefix(count))
    }
}
