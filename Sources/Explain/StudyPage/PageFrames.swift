import Animations
import Core
import Render

/// The progress of a page. Thread-safe.
package final class PageProgress: Sendable {
    private let state = Locked((done: 0, total: 1))

    /// The progress before the work begins.
    package init() {}

    /// The number of recorded frames and the total.
    package var frames: (done: Int, total: Int) { state.withLock { $0 } }

    func begin(_ total: Int) { state.withLock { $0 = (0, max(1, total)) } }

    func countFrame() { state.withLock { $0.done += 1 } }
}

/// The frames of a page, recorded at a fixed rate: drawings, and the positions and speeds of
/// objects.
struct PageFrames {
    /// Frames per second of model time.
    let rate: Int
    let count: Int
    let record: SceneRecord
    /// All numbers in the page's binary format.
    let numbers: [UInt8]

    /// The fractional bits of positions in points and of speeds in points per second.
    private static let positionBits = 16
    private static let speedBits = 12

    /// Records all frames. Throws `LoadervidError` if a frame cannot be drawn or the work takes too
    /// long, and `PageOverflow` if the frames exceed a limit.
    ///
    /// - Parameter start: the thread's CPU time in seconds when work on the page began, earlier
    ///   frame rates included.
    init(_ renderer: LoaderRenderer, id: String, rate: Int, since start: Double, _ progress: PageProgress) throws {
        let loader = renderer.loader
        self.rate = rate
        count = PageSurvey.frameCount(loader.period, rate: rate)
        progress.begin(count)
        var record = SceneRecord()
        var readings = Array(repeating: NumberColumn(), count: 3 * loader.objects(at: .zero).count)
        for frame in 0..<count {
            let time = Rational(Int128(frame), Int128(rate))
            try record.append(renderer.scene(at: time), at: time)
            try Self.read(loader, at: time, id: id, into: &readings)
            let readingCount = readings.reduce(0) { $0 + $1.storedCount }
            guard record.storedCount + readingCount <= PageLimits.maxNumbers else {
                throw PageOverflow.numbers(PageLimits.maxNumbers, after: time)
            }
            progress.countFrame()
            guard Resources.threadSeconds - start <= PageLimits.maxSecondsTaken else {
                throw Self.timeout(id, at: time, of: loader.period, rate: rate)
            }
        }
        var numbers: [UInt8] = []
        record.write(to: &numbers)
        for column in readings { column.write(to: &numbers) }
        guard numbers.count / 3 * 4 + record.codeBytes <= PageLimits.maxFrameBytes else {
            throw PageOverflow.bytes(PageLimits.maxFrameBytes, after: loader.period)
        }
        self.record = record
        self.numbers = numbers
    }

    private static func timeout(_ id: String, at time: Rational, of period: Rational, rate: Int) -> LoadervidError {
        LoadervidError(
            .badData,
            "\(id): a page takes more than \(Int(PageLimits.maxSecondsTaken)) s of CPU time, the maximum, and "
                + "is at \(time.double.roundedToThousandths) of \(period.double.roundedToThousandths) s by then; "
                + (rate > PageLimits.rates[0]
                    ? "pass \(option: "fps") \(PageLimits.rates[0])" : "shorten the animation"))
    }

    private static func read(
        _ loader: any Loader, at time: Rational, id: String, into readings: inout [NumberColumn]
    ) throws {
        let objects = loader.objects(at: time)
        for (index, (object, velocity)) in zip(objects, loader.velocities(of: objects, at: time)).enumerated() {
            let position = object.position
            let speed = Point.zero.distance(to: velocity)
            guard position.x.isFinite, position.y.isFinite, speed.isFinite else {
                throw LoadervidError(
                    .usage,
                    "\(id) at \(time.double) s: the position or speed of \(quoted(object.name)) is not a finite number")
            }
            readings[3 * index].append(position.x, bits: positionBits)
            readings[3 * index + 1].append(position.y, bits: positionBits)
            readings[3 * index + 2].append(speed, bits: speedBits)
        }
    }
}

extension StudyPage {
    /// Returns the frames at the requested rate, or at the highest one within the limits of numbers
    /// and bytes.
    func frames(_ progress: PageProgress) throws -> PageFrames {
        let start = Resources.threadSeconds
        let survey = try PageSurvey(renderer)
        let all = rate.map { [$0] } ?? PageLimits.rates.filter { $0 <= defaultRate }.reversed()
        let rates = all.drop { $0 != all.last && !survey.fits(rate: $0) }
        for rate in rates {
            try survey.checkSeconds(rate: rate, id: id)
            do {
                return try PageFrames(renderer, id: id, rate: rate, since: start, progress)
            } catch let overflow as PageOverflow {
                guard rate == rates.last else { continue }
                throw LoadervidError(
                    .badData,
                    "\(id): a page with \(rate) frames/s is too large: \(overflow.description); "
                        + (rate > PageLimits.rates[0]
                            ? "pass \(option: "fps") \(PageLimits.rates.last { $0 < rate } ?? PageLimits.rates[0])"
                            : "make the period shorter"))
            }
        }
        throw LoadervidError(.internal, "a page without a frame rate")
    }
}
