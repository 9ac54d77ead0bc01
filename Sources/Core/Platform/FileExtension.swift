extension String {
    /// The extension of the file that a path names: what follows the last dot of its last
    /// component, in lower case; empty if there is none.
    package var fileExtension: String {
        guard let name = split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return "" }
        return name[dot...].dropFirst().lowercased()
    }
}
