import Render

extension Hint {
    /// Returns the texts of hints for the command line, which name a program's options.
    static func options(of program: String) -> [Hint: String] {
        [
            .overwriting: "pass --force to overwrite it, or use another name",
            .overwritingOrRemoval: "pass --force to overwrite it, or remove it",
            .otherOutputOrStandard: "name a file, or -o - for standard output",
            .lessAtOnce: "raise the memory limit (ulimit -v), or lower --jobs",
            .less: "raise the limit (ulimit -v), or lower --scale or --jobs",
            .otherCodec: "use another codec; '\(program) doctor' lists those that work",
            .morePixels: "raise --max-pixels if you trust the file",
            .moreTotalPixels: "raise --max-gigapixels if you trust the file",
            .otherColors: "set the loader's colours with --set, or compare another loader",
            .judgedPart: "pass --crop x,y,w,h",
            .otherPart: "pass another --crop x,y,w,h",
            .judgedTime: "pass --from and --to",
            .recordedScale: "pass --scale",
            .otherScript: "use -o",
        ]
    }
}
