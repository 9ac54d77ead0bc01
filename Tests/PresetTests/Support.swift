import Foundation
import Pipeline
import Presets
import TestSupport
import Testing

/// Presets in a directory of their own.
struct PresetDirectory {
    let directory: TemporaryDirectory

    /// Files by their name; folders on the way are made.
    init(_ files: [String: String]) throws {
        directory = try TemporaryDirectory()
        for (name, text) in files {
            let path = directory.file(name)
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try makeFile(text, at: path)
        }
    }

    /// The clips of some of its presets.
    func read(_ names: String..., limits: PresetLimits = PresetLimits()) throws -> [PresetClip] {
        try PresetReader(limits: limits).read(names.map(directory.file))
    }

    /// All problems of a preset in lines, without the directory.
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

/// The folder of the presets that come with the program.
let shippedFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("presets").path
