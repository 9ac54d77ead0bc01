import Platform

/// The path of the program under test, which is built beside the bundle of tests that is running.
public let builtProgram: String = {
    for path in LoadedFiles.all {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // A bundle is a file, or on a Mac a folder with the file deep within.
        guard let bundle = parts.firstIndex(where: { $0.hasSuffix(".xctest") }) else { continue }
        return parts[..<bundle].joined(separator: "/") + "/loadervid"
    }
    return "loadervid-was-not-built"
}()
