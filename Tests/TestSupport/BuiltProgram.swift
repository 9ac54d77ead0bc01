import Core

/// The path of the program under test, which is in the same directory as the running test bundle.
package let builtProgram: String = {
    for path in LoadedFiles.all {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // On Linux the bundle is a file; on macOS it is a directory that contains the file.
        guard let bundle = parts.firstIndex(where: { $0.hasSuffix(".xctest") }) else { continue }
        return parts[..<bundle].joined(separator: "/") + "/loadervid"
    }
    return "loadervid-was-not-built"
}()
