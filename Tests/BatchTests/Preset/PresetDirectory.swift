import Batch
import Foundation
import Render
import TestSupport
import Testing

/// Presets in a temporary directory.
struct PresetDirectory {
    let directory: TemporaryDirectory

    /// Creates files with the given names and contents, and their directories.
    init(_ files: [String: String]) throws {
        directory = try TemporaryDirectory()
        for (name, text) in files {
            let path = directory.file(name)
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try makeFile(text, at: path)
        }
    }

    /// The clips of some of the presets.
    func read(_ names: String..., limits: PresetLimits = PresetLimits()) throws -> [PresetClip] {
        try PresetReader(limits: limits).read(names.map(directory.file))
    }

    /// The lines of all problems of a preset, without the directory.
    func problems(_ name: String = "p.yaml", limits: PresetLimits = PresetLimits()) -> [String] {
        do {
            _ = try PresetReader(limits: limits).read([directory.file(name)])
            return []
        } catch { return error.problems.map { "\($0)".replacingOccurrences(of: directory.path + "/", with: "") } }
    }
}

/// The clips of one preset.
func clips(_ text: String, limits: PresetLimits = PresetLimits()) throws -> [PresetClip] {
    try PresetDirectory(["p.yaml": text]).read("p.yaml", limits: limits)
}

/// The directory of the shipped presets.
let shippedFolder = "\(sourceTree)/presets"
