import ArgumentParser
import Loaders
import Motion
import Pipeline

/// `loadervid still`: one picture.
struct StillCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "still", abstract: "Renders one picture of a loader as PNG.",
        discussion: """
            EXAMPLES
              loadervid still jelly --at 1.5 -o jelly.png
              loadervid still qq-mail --at phase:2+1/2 --scale 8 -o balls.png
            """)

    @OptionGroup var loader: LoaderOptions

    @Option(help: ArgumentHelp("Model time in seconds, or phase:N[+fraction].", valueName: "time"))
    var at: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The PNG file to make, or - for standard output.", valueName: "file"))
    var output: String

    @Flag(help: "Overwrite the output.")
    var force = false

    func validate() throws {
        guard output == "-" || output.lowercased().hasSuffix(".png") else {
            throw ValidationError("the output '\(output)' does not end in .png: stills are PNG files")
        }
    }

    func run() throws {
        let stage = try LoaderStage(loader.request)
        let png = try stage.png(at: time(in: stage.loader))
        let size = "\(stage.width)x\(stage.height)"
        guard output != "-" else {
            try Machine.checkStandardOutput()
            try png.withUnsafeBytes { try StandardOutput().write($0) }
            return
        }
        let file = try OutputFile(path: output, overwrites: force)
        try png.withUnsafeBytes { try file.write($0) }
        printResult("\(output): \(size), \(Summary.bytes(try file.commit()))")
    }

    /// Reads `1.5` or `phase:2+1/2`.
    private func time(in loader: any Loader) throws -> Rational {
        let prefix = "phase:"
        guard at.hasPrefix(prefix) else {
            guard let seconds = Rational(text: at) else {
                throw ValidationError("--at '\(at)' is no time: give seconds such as 1.5, or phase:2 or phase:2+1/2")
            }
            return seconds
        }
        let parts = at.dropFirst(prefix.count).split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? Rational(text: parts[1]) : .zero
        guard let fraction, fraction <= 1, let index = Int(parts[0]), loader.phases.indices.contains(index) else {
            let last = loader.phases.count - 1
            throw ValidationError(
                "--at '\(at)' is no phase: give phase:N[+fraction] with N in 0...\(last) and the fraction in 0...1")
        }
        let phase = loader.phases[index]
        return phase.start + phase.duration * fraction
    }
}
