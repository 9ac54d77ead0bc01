import Animations
import Core
import Raster

/// The reason why a loader is not visible in its frames.
public struct Invisibility: Sendable, Hashable {
    /// A reason why nothing is visible.
    public enum Cause: Sendable, Hashable {
        /// The loader draws nothing at the given times, but does at `visibleAt`, in seconds.
        case blankHere(visibleAt: Rational)
        /// The loader draws nothing at all.
        case nothingDrawn
        /// The drawing has the colour of the background. It is visible on `visibleOn`, a CSS colour
        /// name.
        case sameColor(as: Color, visibleOn: String?)
        /// Nearly all of the drawing differs from the background so little that the frames look
        /// blank. It is visible on `visibleOn`, a CSS colour name.
        case similarColor(to: Color, visibleOn: String)
    }

    /// The reason.
    public let cause: Cause

    /// The number of instants to check first; most loaders are visible at the first one.
    private static let samples = 8
    /// The number of instants to check before a warning, enough to find a flash of a sixtieth of
    /// the period.
    private static let thoroughSamples = 64
    /// The longer side in pixels of the bitmaps for the first check and for the final one.
    private static let side = 256
    private static let thoroughSide = 1024
    /// The minimum invisible share of the art for a clip of it to look blank.
    private static let minBlankShare = 0.9
    /// The CIEDE2000 distance below which a viewer sees no difference. The light grey of
    /// placeholders on white, #f2f2f2, has more.
    private static let minSeenDistance = 2.0

    /// Checks whether a loader is visible at some times; nil if it is, or if the check is cancelled
    /// or takes too long.
    ///
    /// - Parameter times: returns at most `count` of the times that the clip shows, evenly spaced.
    static func find(
        in renderer: LoaderRenderer, cancellation: CancellationToken, at times: (_ count: Int) -> [Rational]
    ) throws -> Invisibility? {
        let limit = ProbeLimit(cancellation: cancellation)
        do { return try check(renderer, limit, at: times) } catch is ProbeLimit.Reached { return nil }
    }

    private static func check(
        _ renderer: LoaderRenderer, _ limit: ProbeLimit, at times: (_ count: Int) -> [Rational]
    ) throws -> Invisibility? {
        let first = try VisibilityProbe(renderer.loader, side: side, limit: limit)
        if try first.firstVisible(of: times(samples), on: renderer.background) != nil {
            guard try looksBlank(renderer, limit) else { return nil }
            let contrast = renderer.background.isBright ? "black" : "white"
            return Invisibility(cause: .similarColor(to: renderer.background, visibleOn: contrast))
        }
        let probe = try VisibilityProbe(renderer.loader, side: thoroughSide, limit: limit)
        if try probe.firstVisible(of: times(samples), on: renderer.background) != nil { return nil }
        if try first.firstVisible(of: times(thoroughSamples), on: renderer.background) != nil { return nil }
        let period = renderer.loader.period
        let others = (0..<thoroughSamples).map { period * Rational(2 * $0 + 1) / Rational(2 * thoroughSamples) }
        if let time = try first.firstVisible(of: others, on: renderer.background) {
            return Invisibility(cause: .blankHere(visibleAt: time))
        }
        let seen = times(samples) + others
        guard try first.firstVisible(of: seen, on: Color(0, 0, 0, alpha: 0)) != nil else {
            return Invisibility(cause: .nothingDrawn)
        }
        // With a translucent background, the drawing may be visible on the page behind the clip.
        guard renderer.background.alpha == 1 else { return nil }
        let contrast = try ["black", "white"].first { name in
            try Color(css: name).map { try first.firstPattern(of: seen, on: $0) != nil } ?? false
        }
        return Invisibility(cause: .sameColor(as: renderer.background, visibleOn: contrast))
    }

    /// Returns true if a clip looks blank, although its pixels differ from the background.
    private static func looksBlank(_ renderer: LoaderRenderer, _ limit: ProbeLimit) throws -> Bool {
        guard renderer.background.alpha == 1,
            let art = try ArtContrast(renderer.loader, check: limit.check), !art.coversCanvas
        else { return false }
        return art.hiddenShare(on: renderer.background, below: minSeenDistance) >= minBlankShare
    }

    /// Returns the message for the user, on one line.
    ///
    /// - Parameters:
    ///   - background: formats the option that selects a named background.
    ///   - time: formats the option that selects a time in seconds; nil if there is no such option.
    public func text(background: (String) -> String, time: ((Rational) -> String)? = nil) -> String {
        switch cause {
        case .blankHere(let visibleAt):
            let remedy = time.map { "; to show a visible part, use \($0(visibleAt))" } ?? ""
            return "nothing is visible in this part of the period\(remedy)"
        case .nothingDrawn: return "nothing is visible: the loader draws nothing"
        case .sameColor(let color, let visibleOn):
            let remedy = visibleOn.map { "; use \(background($0))" } ?? ""
            return "nothing is visible: everything is drawn in the background's colour \(color.hexString)\(remedy)"
        case .similarColor(let color, let visibleOn):
            return "the frames look blank: the drawing's colours are close to the background \(color.hexString); use "
                + background(visibleOn)
        }
    }
}

extension LoaderRenderer {
    /// Returns the reason why the loader is invisible at a time, or at all times if `time` is nil;
    /// nil if it is visible. Ignores annotations and titles. Returns nil if it is cancelled or
    /// takes too long.
    public func invisibility(
        at time: Rational? = nil, cancellation: CancellationToken = CancellationToken()
    ) throws -> Invisibility? {
        try Invisibility.find(in: self, cancellation: cancellation) { count in
            time.map { [$0] } ?? (0..<count).map { loader.period * Rational(2 * $0 + 1) / Rational(2 * count) }
        }
    }
}

/// The limit on the time that a visibility check takes: a missing warning is harmless.
private struct ProbeLimit {
    /// The error that ends a check.
    struct Reached: Error {}

    /// The maximum duration: most checks draw nine bitmaps, and 200 small ones of a typical loader
    /// take half a second.
    private static let maxDuration = Duration.seconds(2)

    let cancellation: CancellationToken
    private let start = ContinuousClock.now

    init(cancellation: CancellationToken) { self.cancellation = cancellation }

    /// Throws `Reached` if the check is cancelled or has taken too long.
    func check() throws {
        guard !cancellation.isCancelled, ContinuousClock.now - start < Self.maxDuration else { throw Reached() }
    }
}

/// A probe that draws a loader at a small size to check its visibility. Not thread-safe.
private final class VisibilityProbe {
    private let loader: any Loader
    private let rasterizer: Rasterizer
    private let limit: ProbeLimit

    /// The minimum difference of a colour component that counts as visible: encoders lose two of
    /// 255 levels.
    private static let minDifference = 3

    init(_ loader: any Loader, side: Int, limit: ProbeLimit) throws {
        self.loader = loader
        self.limit = limit
        rasterizer = try Rasterizer(loader.canvas, longerSide: Double(side))
    }

    /// Returns the first of the times at which a pixel differs from the plain background.
    func firstVisible(of times: [Rational], on background: Color) throws -> Rational? {
        try rasterizer.draw(Scene(size: loader.canvas, background: background, nodes: []))
        let plain = firstPixel
        return try times.first { time in
            try draw(time, on: background)
            return differs(from: plain)
        }
    }

    /// Returns the first of the times at which the frame has more than one colour.
    func firstPattern(of times: [Rational], on background: Color) throws -> Rational? {
        try times.first { time in
            try draw(time, on: background)
            return differs(from: firstPixel)
        }
    }

    private func draw(_ time: Rational, on background: Color) throws {
        try limit.check()
        var scene = loader.scene(at: time)
        scene.background = background
        try rasterizer.draw(scene)
    }

    private var firstPixel: [UInt8] { Array(UnsafeBufferPointer(start: rasterizer.pixmap.data, count: 4)) }

    /// Returns true if a pixel of the last frame differs from a colour.
    private func differs(from color: [UInt8]) -> Bool {
        let pixmap = rasterizer.pixmap
        let bounds = color.map { (low: Int($0) - Self.minDifference, high: Int($0) + Self.minDifference) }
        for y in 0..<pixmap.height {
            let row = pixmap.data + y * pixmap.stride
            for index in 0..<(4 * pixmap.width) {
                let value = Int(row[index])
                let bound = bounds[index & 3]
                if value <= bound.low || value >= bound.high { return true }
            }
        }
        return false
    }
}
