import Animations
import Core
import Render

/// Limits on the work and size of a page, since a loader may come from an untrusted file.
enum PageLimits {
    /// The supported frame rates of model time. A step is 1/240 s, or one frame if that is longer.
    static let rates = [60, 120, 240, 480, 960]
    /// The maximum count of changing numbers.
    static let maxNumbers = 5_000_000
    /// The maximum size of drawings and numbers in bytes.
    static let maxFrameBytes = 16_000_000
    /// The maximum size of a page in bytes, including images.
    static let maxBytes = 64_000_000
    /// The maximum estimated CPU time in seconds. A frame with 300 moving layers takes 7 ms, so ten
    /// seconds of them at 960 frames per second take 70 s; the limit allows for a machine four
    /// times slower.
    static let maxSeconds = 300.0
    /// The CPU time in seconds after which the work stops, in case the estimate was too low.
    static let maxSecondsTaken = 2 * maxSeconds
}

/// The error for a page that is too large at its frame rate.
enum PageOverflow: Error {
    case numbers(Int, after: Rational)
    case bytes(Int, after: Rational)

    /// The exceeded limit and the time at which it is exceeded.
    var description: String {
        switch self {
        case .numbers(let limit, let time):
            "its first \(time.double.roundedToThousandths) s exceed the maximum of \(limit) numbers"
        case .bytes(let limit, let time):
            "the frames of its first \(time.double.roundedToThousandths) s have more than \(limit) bytes, the maximum"
        }
    }
}

/// An estimate of a page's work and size, measured at a few instants before the work begins.
struct PageSurvey {
    private let period: Rational
    private let phaseCount: Int
    /// The count of changing numbers per frame, positions and speeds of objects included.
    private let numbers: Double
    /// The CPU time in seconds of drawing a frame.
    private let sceneSeconds: Double
    /// The CPU time in seconds of computing the positions and speeds of a frame's objects.
    private let motionSeconds: Double

    /// The number of instants that are measured.
    private static let instants = 8

    /// Draws two adjacent frames at each of a few instants. Throws `LoadervidError` if a frame
    /// cannot be drawn.
    init(_ renderer: LoaderRenderer) throws {
        let loader = renderer.loader
        var record = SceneRecord()
        period = loader.period
        phaseCount = loader.phases.count
        var scenes = 0.0
        var motions = 0.0
        for instant in 0..<Self.instants {
            let first = loader.period * Rational(Int128(2 * instant + 1), Int128(2 * Self.instants))
            let times = [first, (first + Rational(1, 960)).modulo(loader.period)]
            // Takes the faster of two runs, since the first one may fill caches.
            var scene = Double.infinity
            var motion = Double.infinity
            for time in times {
                let start = Resources.threadSeconds
                try record.append(renderer.scene(at: time), at: time)
                let middle = Resources.threadSeconds
                _ = loader.velocities(of: loader.objects(at: time), at: time)
                scene = min(scene, middle - start)
                motion = min(motion, Resources.threadSeconds - middle)
            }
            scenes += scene
            motions += motion
        }
        // A page stores x, y and speed of each object.
        let readings = 3 * loader.objects(at: .zero).count
        numbers = Double(record.changingCount) / Double(2 * Self.instants) + Double(readings)
        sceneSeconds = scenes / Double(Self.instants)
        motionSeconds = motions / Double(Self.instants)
    }

    /// Returns the number of frames at a rate. The last one may be shorter than the others.
    static func frameCount(_ period: Rational, rate: Int) -> Int { (period * Rational(rate)).ceiling }

    /// Returns true if the estimated count of numbers at a rate is within the limit. The result is
    /// the same on every machine.
    func fits(rate: Int) -> Bool {
        numbers * Double(Self.frameCount(period, rate: rate)) <= Double(PageLimits.maxNumbers)
    }

    /// Returns the estimated CPU time of a page in seconds.
    func seconds(rate: Int) -> Double {
        let frames = Double(Self.frameCount(period, rate: rate)) * (sceneSeconds + motionSeconds)
        // The number of position queries by charts and tables; a frame makes three.
        let phases = phaseCount
        let queries = 3 * max(1440, 24 * phases) + max(720, 24 * phases) + 10 * phases
        return frames + motionSeconds / 3 * Double(queries)
    }

    /// Throws `LoadervidError` if a page at a rate takes too long.
    func checkSeconds(rate: Int, id: String) throws {
        let seconds = seconds(rate: rate)
        guard seconds > PageLimits.maxSeconds else { return }
        let frames = Self.frameCount(period, rate: rate)
        let lower = PageLimits.rates.last { $0 < rate && self.seconds(rate: $0) <= PageLimits.maxSeconds }
        throw LoadervidError(
            .badData,
            "\(id): a page of \(frames) frames takes about \(Int(seconds.rounded(.up))) s of CPU time, above the "
                + "maximum of \(Int(PageLimits.maxSeconds)) s; "
                + (lower.map { "pass \(option: "fps") \($0)" } ?? "shorten the animation, or merge fewer paths in it"))
    }
}
