import Pipeline

/// Writes a picture to a file and says so, or to standard output if that is `-`.
func writePicture(_ picture: [UInt8], to output: String, force: Bool, width: Int, height: Int) throws {
    guard output != "-" else {
        let pipe = try Machine.standardOutput()
        return try picture.withUnsafeBytes { try pipe.write($0) }
    }
    let file = try OutputFile(path: output, overwrites: force)
    printResult("\(output): \(width)x\(height), \(Summary.bytes(try file.commit(picture)))")
}
