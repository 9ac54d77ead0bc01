import ArgumentParser
import Documents
import Pipeline
import Platform
import Presets

/// The options with which every command reads presets.
struct PresetOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The most outputs in all. (default: 1000)", valueName: "N"))
    var maxOutputs: Int?

    @Option(help: ArgumentHelp("The most frames in a clip. (default: 100000)", valueName: "N"))
    var maxFrames: Int?

    @Option(help: ArgumentHelp("The most frames in all. (default: 2000000)", valueName: "N"))
    var maxTotalFrames: Int?

    @Option(help: ArgumentHelp("The most pixels to draw in all, in billions. (default: 5000)", valueName: "N"))
    var maxGigapixels: Int?

    @Option(help: mostPixelsHelp)
    var maxPixels: Int?

    @Option(help: ArgumentHelp("The longest preset file. (default: 1048576)", valueName: "bytes"))
    var maxPresetBytes: Int?

    @Option(help: ArgumentHelp("The most values in a preset file. (default: 20000)", valueName: "N"))
    var maxNodes: Int?

    @Option(help: ArgumentHelp("The deepest nesting in a preset file, up to 64. (default: 16)", valueName: "levels"))
    var maxDepth: Int?

    @Option(
        help: ArgumentHelp(
            "Where shipped presets are. (default: LOADERVID_PRESETS, or beside the program)", valueName: "directory"))
    var directory: String?

    func validate() throws {
        let most = 1_000_000_000_000
        try check("outputs", maxOutputs, 1...1_000_000)
        try check("frames", maxFrames, 1...RenderPlan.mostFrames)
        try check("total-frames", maxTotalFrames, 1...most)
        try check("gigapixels", maxGigapixels, 1...1_000_000_000)
        try check("pixels", maxPixels, mostPixelsRange)
        try check("preset-bytes", maxPresetBytes, 1...(1 << 30))
        try check("nodes", maxNodes, 1...100_000_000)
        try check("depth", maxDepth, 1...DocumentLimits.mostDepth)
    }

    private func check(_ name: String, _ value: Int?, _ range: ClosedRange<Int>) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError(
            "--max-\(name) \(value) is not possible: it takes \(range.lowerBound)...\(range.upperBound)")
    }

    /// How much presets may ask for.
    var limits: PresetLimits {
        var limits = PresetLimits()
        limits.outputs = maxOutputs ?? limits.outputs
        limits.frames = maxFrames ?? limits.frames
        limits.totalFrames = maxTotalFrames ?? limits.totalFrames
        limits.gigapixels = maxGigapixels ?? limits.gigapixels
        limits.picturePixels = maxPixels ?? limits.picturePixels
        limits.document.fileBytes = maxPresetBytes ?? limits.document.fileBytes
        limits.document.nodes = maxNodes ?? limits.document.nodes
        limits.document.depth = maxDepth ?? limits.document.depth
        return limits
    }

    /// What reads presets within the limits.
    var reader: PresetReader { get throws { PresetReader(limits: limits, shipped: try shipped) } }

    /// The files that arguments name: a path, or the name of a shipped preset if there is no such file.
    func paths(_ arguments: [String]) throws -> [String] {
        let shipped = try shipped
        return arguments.map { DocumentFile.find($0, shipped: shipped) }
    }

    /// The directory of the shipped presets, if there is one: as asked for, as installed, or as in the source tree.
    var shipped: String? { get throws { try PresetOptions.shipped(in: directory) } }

    /// The directory of the shipped presets, if there is one: one that is given, as installed, or as in the source tree.
    static func shipped(in directory: String?) throws -> String? {
        if let directory { return directory }
        if let named = try Machine.path(from: "LOADERVID_PRESETS") { return named }
        return PresetOptions.besideTheProgram
    }

    private static var besideTheProgram: String? {
        // Where the program has a path that is no text, presets have to be named by one of the two ways above.
        guard let program = LoadedFiles.program.flatMap({ String(validating: $0, as: UTF8.self) }) else { return nil }
        var directory = program[...]
        // Installed, the program is in PREFIX/bin; in the source tree it is three or four levels below the root.
        for suffix in ["", "/share/loadervid", "", "", ""] {
            guard let slash = directory.lastIndex(of: "/") else { return nil }
            directory = directory[..<slash]
            let candidate = "\(directory)\(suffix)/presets"
            if FileSystem.exists(candidate + "/schema.json") { return candidate }
        }
        return nil
    }
}
