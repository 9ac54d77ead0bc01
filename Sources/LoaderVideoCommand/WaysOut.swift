import Pipeline

extension WayOut {
    /// The options of a program that say them.
    static func options(of program: String) -> [WayOut: String] {
        [
            .overwriting: "use --force to overwrite it, or another name",
            .otherOutput: "name a file, or -o - for standard output",
            .lessAtOnce: "raise the limit of memory (ulimit -v), or ask for less at once (--jobs)",
            .less: "raise that (ulimit -v), or ask for less (--scale, --jobs)",
            .otherCodec: "choose another codec, or see which work with \(program) doctor",
            .morePixels: "raise --max-pixels if you trust it",
            .morePictures: "raise --max-gigapixels if you trust it",
            .otherColors: "tell its colours with --set, or compare another",
        ]
    }
}
