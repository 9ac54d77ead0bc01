import Media
import Motion

// What animated pictures take that video does not, and the other way round.
extension EncodingRequest {
    /// How many times an animated picture can be told to play.
    public static let playLimits = 1...65535

    /// Throws `RenderError` for what the container has no word for.
    ///
    /// - Parameter hasChapters: whether chapters were asked for, rather than offered by what is shown.
    func checkAnimation(hasChapters: Bool = false) throws {
        try checkPlays()
        try checkIndexing()
        guard container.isAnimation else { return }
        try checkRate()
        if hasChapters {
            throw RenderError(
                .usage, "\(container) has no chapters: leave them out, or take a container of video",
                about: .options("chapters"))
        }
        if audio != nil {
            throw RenderError(
                .usage, "\(container) has no sound: leave it out, or take a container of video",
                about: .options("audio"))
        }
        if captions == .track {
            throw RenderError(
                .usage,
                "\(container) has no track of captions: draw them into the pictures, or take a container of video",
                about: .options("captions"))
        }
    }

    private func checkIndexing() throws {
        if let matte, matte.alpha < 1 {
            throw RenderError(
                .usage, "matte: what a GIF lies on is opaque: give a colour without alpha", about: .options("matte"))
        }
        guard container != .gif, dithers || matte != nil else { return }
        let (option, holds) =
            dithers ? ("dither", "all colours") : ("matte", "half transparent colours, or none at all")
        throw RenderError(
            .usage, "\(option): \(container) holds \(holds); leave it out, or take gif", about: .options(option))
    }

    private func checkPlays() throws {
        guard let plays else { return }
        guard container.isAnimation else {
            throw RenderError(
                .usage,
                "loop \(plays): \(container) does not say how often it is played, as "
                    + "\(Container.animations.joined(separator: ", ")) do: leave it out",
                about: .options("loop"))
        }
        guard EncodingRequest.playLimits.contains(plays) else {
            throw RenderError(
                .usage,
                "loop \(plays) is not possible: it takes \(EncodingRequest.playLimits.lowerBound)"
                    + "...\(EncodingRequest.playLimits.upperBound)", about: .options("loop"))
        }
    }

    private func checkRate() throws {
        guard let fastest = container.fastestRate, frameRate.framesPerSecond > fastest else { return }
        let shortest = container == .gif ? "2 hundredths of a second" : "11 ms"
        throw RenderError(
            .usage,
            "fps \(frameRate) is not possible in \(container): players show pictures shorter than \(shortest) for a tenth of "
                + "a second; the nearest rate is \(fastest.floor)", about: .options("fps"))
    }
}

extension Container {
    /// The names of animated pictures.
    static let animations = allCases.filter(\.isAnimation).map(\.rawValue)
}
