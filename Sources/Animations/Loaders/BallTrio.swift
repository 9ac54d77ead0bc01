import Core

/// QQ Mail's three balls, as a part of a scene.
///
/// All balls run through the six steps of `displacements`, but each begins at a different step.
/// Source: "iOS: iQIYI, QQ pull and QQ Mail loading animations", part 2.
struct BallTrio: Sendable {
    /// The kind of motion.
    enum Motion: String, CaseIterable, Sendable {
        /// Continuous motion, linear within a phase.
        case smooth
        /// The article's timer steps.
        case ticks
    }

    static let radius = Parameter.number("radius", 6, 0.5...30, "Radius of a ball, without its outline")
    static let strokeWidth = Parameter.number("strokeWidth", 1, 0...10, "Width of a ball's outline")
    static let opacity = Parameter.number("opacity", 0.8, 0...1, unit: "", "Opacity of a ball as a whole")
    static let red = Parameter.color("red", Color(255, 0, 0), "Colour of the ball that starts left")
    static let yellow = Parameter.color("yellow", Color(255, 255, 0), "Colour of the ball that starts in the middle")
    static let green = Parameter.color("green", Color(0, 255, 0), "Colour of the ball that starts right")
    static let offset = Parameter.number("offset", 30, 1...60, "Distance that a ball moves in a phase")
    static let tick = Parameter.time("tick", Rational(1, 125), Rational(1, 10_000)...1, "Interval of the timer")
    static let ticksPerPhase = Parameter.count("ticksPerPhase", 30, 1...1000, "Timer intervals in a phase")
    static let motion = Parameter.choice("motion", Motion.smooth, "Continuous motion or timer steps")

    static let parameters: [any LoaderParameter] = [
        radius, strokeWidth, opacity, red, yellow, green, offset, tick, ticksPerPhase, motion,
    ]

    /// The direction of each of the six steps, from the article's table.
    static let displacements = [-1, 1, 1, -1, 0, 0]
    /// The position of a ball at the start of each step, in multiples of `offset` from the centre:
    /// the running sum of `displacements`.
    static let entries = displacements.indices.map { displacements[..<$0].reduce(0, +) }

    /// The steps in which red, yellow and green begin.
    static let firstSteps = [1, 5, 3]
    /// The stacking order of the balls (0 red, 1 yellow, 2 green) from back to front, for each pair
    /// of phases. The ball that entered step 3 last is in front; the others keep the article's
    /// order.
    static let depths = [[1, 0, 2], [2, 1, 0], [0, 2, 1]]

    let values: ParameterValues
    let center: Point
    /// The duration of one phase in seconds.
    let phaseDuration: Rational
    /// The duration of one cycle of six phases, in seconds.
    let period: Rational
    // Looked up once, because every frame needs these values.
    private let offset: Double
    private let motion: Motion
    private let tick: Rational
    private let colors: [Color]

    init(values: ParameterValues, center: Point) {
        self.values = values
        self.center = center
        offset = values[Self.offset]
        motion = values[Self.motion]
        tick = values[Self.tick]
        phaseDuration = tick * Rational(values[Self.ticksPerPhase])
        period = phaseDuration * Rational(Self.displacements.count)
        colors = [values[Self.red], values[Self.yellow], values[Self.green]]
    }

    /// Returns the horizontal position of a ball (0 red, 1 yellow, 2 green) at `time` seconds, in
    /// points.
    func x(ofBall ball: Int, at time: Rational) -> Double {
        var moment = time
        if motion == .ticks {
            // The timer fires immediately: after t seconds, it has fired floor(t / tick) + 1 times.
            moment = Rational((time / tick).floor + 1) * tick
        }
        let phases = moment.modulo(period) / phaseDuration
        let step = step(ofBall: ball, inPhase: phases.floor)
        let fraction = phases.modulo(1).double
        return center.x
            + offset * (Double(Self.entries[step]) + Double(Self.displacements[step]) * fraction)
    }

    /// Returns the step of a ball in a phase, both counted from 0.
    private func step(ofBall ball: Int, inPhase phase: Int) -> Int {
        (Self.firstSteps[ball] + phase) % Self.displacements.count
    }

    /// Returns the three balls at `time` seconds, in the order red, yellow, green.
    func objects(at time: Rational) -> [MovingObject] {
        let phase = (time.modulo(period) / phaseDuration).floor
        let speed = offset / phaseDuration.double
        let titles = [
            LocalizedText("red", zh: "红球"), LocalizedText("yellow", zh: "黄球"), LocalizedText("green", zh: "绿球"),
        ]
        let radius = values[Self.radius] + values[Self.strokeWidth] / 2
        return titles.enumerated().map { ball, title in
            let step = step(ofBall: ball, inPhase: phase)
            return MovingObject(
                title.english, title: title, colors[ball], at: Point(x(ofBall: ball, at: time), center.y),
                radius: radius,
                depth: Self.depths[phase / 2].firstIndex(of: ball) ?? 0, step: step,
                direction: Self.displacements[step],
                velocity: Point(speed * Double(Self.displacements[step]), 0))
        }
    }

    /// Returns the three balls at `time` seconds, back to front.
    func nodes(at time: Rational) -> [Node] {
        let phase = (time.modulo(period) / phaseDuration).floor
        // The outline has the ball's colour, so both are one disc.
        let radius = values[Self.radius] + values[Self.strokeWidth] / 2
        let opacity = values[Self.opacity]
        return Self.depths[phase / 2].map { ball in
            let path = Path.circle(center: Point(x(ofBall: ball, at: time), center.y), radius: radius)
            let color = colors[ball]
            return .shape(Shape(path, fill: color.opacity(color.alpha * opacity)))
        }
    }
}
