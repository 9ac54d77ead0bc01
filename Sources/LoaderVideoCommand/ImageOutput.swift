import Render

/// Begins the output file of a command that also accepts `-o -`, which an error then suggests.
func streamableFile(_ path: String, force: Bool) throws -> OutputFile {
    do { return try OutputFile(path: path, overwrites: force) } catch let error as LoadervidError
        where error.hint == .otherOutput
    {
        throw LoadervidError(
            error.kind, error.reason, subjects: error.subjects, hint: .otherOutputOrStandard, related: error.related)
    }
}

/// Writes an image to a file and prints a message, or to standard output if the path is `-`.
func writeImage(
    _ image: [UInt8], to output: String, force: Bool, width: Int, height: Int, remark: String = ""
) throws {
    guard output != "-" else {
        let pipe = try Machine.standardOutput()
        return try image.withUnsafeBytes { try pipe.write($0) }
    }
    let file = try streamableFile(output, force: force)
    printResult("\(output): \(width)x\(height), \(Summary.bytes(try file.commit(image)))\(remark)")
}
