import Core
import Media

// Checks that the container supports the requested options.
extension EncodingRequest {
    /// The range of an animated image's play count, which GIF stores in 16 bits.
    package static let playCountRange = 1...65535

    /// Throws `LoadervidError` if the container does not support a requested feature.
    ///
    /// - Parameter hasChapters: true if the user requested chapters. If only the
    ///   clip source has chapters, they are dropped without an error.
    func checkContainerSupport(hasChapters: Bool = false) throws {
        try checkPlays()
        try checkPaletteOptions()
        try checkSequenceOptions()
        guard !container.isVideo else { return }
        try checkRate()
        if hasChapters {
            throw LoadervidError(
                .usage,
                "\(option: "chapters"): \(format.name) has no chapters; leave them out or use a video container",
                subjects: .options("chapters"))
        }
        if audio != nil {
            throw LoadervidError(
                .usage, "\(option: "audio"): \(format.name) has no sound; leave it out or use a video container",
                subjects: .options("audio"))
        }
        if captions == .track {
            throw LoadervidError(
                .usage,
                "\(option: "captions"): \(format.name) has no caption track; use \(option: "captions") picture to "
                    + "draw them into the frames, or a video container",
                subjects: .options("captions"))
        }
    }

    /// Throws `LoadervidError` if an option fits only sequences, or none.
    private func checkSequenceOptions() throws {
        if startNumber != nil, !container.isFrameSequence {
            throw LoadervidError(
                .usage,
                "\(option: "start-number"): \(container.rawValue) has no numbered files; leave it out, or write a sequence",
                subjects: .options("start-number"))
        }
        guard container.isFrameSequence || container.isRaw else { return }
        if hasLongFrames {
            throw LoadervidError(
                .usage,
                "\(option: "static"): \(container.rawValue) stores no durations, which vfr needs; use \(option: "static") cfr",
                subjects: .options("static"))
        }
        if maxBytes != nil {
            throw LoadervidError(
                .usage, "\(option: "max-bytes"): \(container.rawValue) has no file size to fit; leave it out",
                subjects: .options("max-bytes"))
        }
    }

    private func checkPaletteOptions() throws {
        if let matte, matte.alpha < 1 {
            throw LoadervidError(
                .usage, "\(option: "matte"): \(matte.hexString) is not opaque; use a colour without alpha",
                subjects: .options("matte"))
        }
        guard container != .gif, dithers || matte != nil else { return }
        let option = dithers ? "dither" : "matte"
        throw LoadervidError(
            .usage, "\(option: option): only gif has a palette; leave it out or use gif",
            subjects: .options(option))
    }

    private func checkPlays() throws {
        guard let plays else { return }
        guard container.isAnimatedImage else {
            throw LoadervidError(
                .usage,
                "\(option: "loop"): \(container.rawValue) stores no play count; leave it out, or use "
                    + Container.animations.alternatives,
                subjects: .options("loop"))
        }
        guard EncodingRequest.playCountRange.contains(plays) else {
            throw LoadervidError(
                .usage,
                "\(option: "loop"): \(plays) is outside the range \(EncodingRequest.playCountRange.lowerBound)"
                    + "...\(EncodingRequest.playCountRange.upperBound)", subjects: .options("loop"))
        }
    }

    private func checkRate() throws {
        guard let maxRate = container.maxFrameRate, frameRate.framesPerSecond > maxRate else { return }
        let minDuration = container == .gif ? "20 ms" : "11 ms"
        throw LoadervidError(
            .usage,
            "\(option: "fps"): \(frameRate) is above the maximum of \(maxRate.floor) in \(format.name), because players show frames "
                + "shorter than \(minDuration) for 100 ms; use \(maxRate.floor) or less",
            subjects: .options("fps"))
    }
}

extension Container {
    /// The names of the containers of animated images.
    static let animations = allCases.filter(\.isAnimatedImage).map(\.rawValue)
}
