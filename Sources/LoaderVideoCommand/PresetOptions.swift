import ArgumentParser
import Batch
import Core
import Explain
import Render

/// The limits and the directory for reading presets, common to all commands that do.
struct PresetOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Maximum total number of outputs. (default: 1000)", valueName: "n"))
    var maxOutputs: Int?

    @Option(help: ArgumentHelp("Maximum number of frames in a clip. (default: 100000)", valueName: "n"))
    var maxFrames: Int?

    @Option(help: ArgumentHelp("Maximum total number of frames. (default: 2000000)", valueName: "n"))
    var maxTotalFrames: Int?

    @Option(
        help: ArgumentHelp(
            "Maximum total number of pixels to draw, in billions. (default: 5000)", valueName: "gigapixels"))
    var maxGigapixels: Int?

    @Option(help: maxPixelsHelp)
    var maxPixels: Int?

    @Option(help: ArgumentHelp("Maximum size of a preset file. (default: 1048576)", valueName: "bytes"))
    var maxPresetBytes: Int?

    @Option(help: ArgumentHelp("Maximum number of values in a preset file. (default: 20000)", valueName: "n"))
    var maxNodes: Int?

    @Option(
        help: ArgumentHelp("Maximum nesting depth of a preset file, up to 64. (default: 16)", valueName: "levels"))
    var maxDepth: Int?

    @Option(help: PresetOptions.directoryHelp)
    var directory: String?

    /// The help of `--directory`.
    static let directoryHelp = ArgumentHelp(
        "Directory of the shipped presets. (default: $LOADERVID_PRESETS, or beside the program)",
        valueName: "directory")

    /// The upper bound of `--max-total-frames`: far beyond any batch, and safe from overflow in
    /// sums.
    private static let totalFramesBound = 1_000_000_000_000

    func validate() throws {
        try checkRange(of: "--max-outputs", maxOutputs, 1...1_000_000)
        try checkRange(of: "--max-frames", maxFrames, 1...RenderPlan.maxFrames)
        try checkRange(of: "--max-total-frames", maxTotalFrames, 1...Self.totalFramesBound)
        try checkRange(of: "--max-gigapixels", maxGigapixels, 1...1_000_000_000)
        try checkRange(of: "--max-pixels", maxPixels, maxPixelsRange)
        try checkRange(of: "--max-preset-bytes", maxPresetBytes, 1...(1 << 30))
        try checkRange(of: "--max-nodes", maxNodes, 1...100_000_000)
        try checkRange(of: "--max-depth", maxDepth, 1...DocumentLimits.maxDepth)
    }

    /// The limits for presets.
    var limits: PresetLimits {
        var limits = PresetLimits()
        limits.outputs = maxOutputs ?? limits.outputs
        limits.frames = maxFrames ?? limits.frames
        limits.totalFrames = maxTotalFrames ?? limits.totalFrames
        limits.gigapixels = maxGigapixels ?? limits.gigapixels
        limits.imagePixels = maxPixels ?? limits.imagePixels
        limits.document.fileBytes = maxPresetBytes ?? limits.document.fileBytes
        limits.document.nodes = maxNodes ?? limits.document.nodes
        limits.document.depth = maxDepth ?? limits.document.depth
        return limits
    }

    /// A preset reader with these limits.
    var reader: PresetReader { get throws { PresetReader(limits: limits, shipped: try shipped) } }

    /// Returns the paths of preset arguments, each the path of a file or else the name of a shipped
    /// preset.
    func paths(_ arguments: [String]) throws -> [String] {
        let shipped = try shipped
        return arguments.map { DocumentFile.find($0, shipped: shipped) }
    }

    /// The directory of the shipped presets; nil if there is none.
    var shipped: String? { get throws { try PresetOptions.shipped(in: directory) } }

    /// Returns the directory of the shipped presets: the given one, that of `LOADERVID_PRESETS`, or
    /// the one of the installation or source tree; nil if there is none.
    static func shipped(in directory: String?) throws -> String? {
        if let directory { return directory }
        if let named = try Machine.path(from: "LOADERVID_PRESETS") { return named }
        return PresetOptions.besideTheProgram
    }

    private static var besideTheProgram: String? {
        // If the program's path is not UTF-8, presets must be named in one of the two ways above.
        guard let program = LoadedFiles.program.flatMap({ String(validating: $0, as: UTF8.self) }) else { return nil }
        var directory = program[...]
        // An installed program is in PREFIX/bin. In the source tree it is three or four levels
        // below the root.
        for suffix in ["", "/share/loadervid", "", "", ""] {
            guard let slash = directory.lastIndex(of: "/") else { return nil }
            directory = directory[..<slash]
            let candidate = "\(directory)\(suffix)/presets"
            if FileSystem.exists(candidate + "/schema.json") { return candidate }
        }
        return nil
    }
}
