import Loaders
import Motion
import Scene
import Timing

/// The notes over the canvas that follow the objects.
extension Annotator {
    // MARK: Ghosts

    /// Pale pictures of the phase's beginning and end, and thin circles where the objects' discs are then.
    func ghosts(at moment: AnnotatedMoment) -> [Node] {
        strips.ghosts(ofPhase: moment.phase.index) { ghosts(of: moment.phase) }
    }

    private func ghosts(of phase: Phase) -> [Node] {
        let end = phase.end - min(Kinematics.step, phase.duration / 8)
        let pictures = [phase.start, end].map { time in
            Node.group(
                Group(transform: stageTransform, opacity: 0.16, nodes: loader.nodes(at: time)))
        }
        let (first, last) = (loader.objects(at: phase.start), loader.positions(atEndOf: phase))
        let circles = first.indices.flatMap { index -> [Node] in
            let (from, to) = (first[index].position, last[index])
            guard first[index].radius > 0, from.distance(to: to) > Kinematics.smallestJump else { return [] }
            let radii = [first[index].radius, loader.objects(at: end)[index].radius]
            return zip([from, to], radii).map { center, radius in
                ghostCircle(layout.place(center), radius: radius * layout.scale, colors[index].opacity(0.7))
            }
        }
        return pictures + circles
    }

    private func ghostCircle(_ center: Point, radius: Double, _ color: Color) -> Node {
        guard radius < 8 else { return Draw.dashedCircle(center: center, radius: radius, color) }
        return .shape(Shape(.circle(center: center, radius: radius), stroke: Stroke(color, width: 1, join: .round)))
    }

    // MARK: Trails

    /// Where each object has been for the last fifth of the period: a line that grows wider and denser.
    func trails(at moment: AnnotatedMoment) -> [Node] {
        let (steps, length) = (isShaped ? 24 : 40, loader.period / 5)
        let courses = (0...steps).map { step in
            let time = (moment.time - length * Rational(Int128(steps - step), Int128(steps))).modulo(loader.period)
            return loader.objects(at: time).map(\.position)
        }
        let pause = length / Rational(steps)
        let tooFar = 0.2 * max(loader.canvas.width, loader.canvas.height)
        return moment.objects.indices.flatMap { index -> [Node] in
            let jumps = table.jumps(ofObject: index)
            return (0..<steps).compactMap { step -> Node? in
                guard
                    !jumps.contains(where: {
                        (moment.time - pause * Rational(steps - step - 1) - $0).modulo(loader.period) < pause
                    })
                else { return nil }
                let (from, to) = (courses[step][index], courses[step + 1][index])
                let distance = from.distance(to: to)
                guard distance > Kinematics.smallestJump, distance < tooFar else { return nil }
                let age = Double(step + 1) / Double(steps)
                return Draw.line(
                    layout.place(from), layout.place(to), colors[index].opacity(0.1 + 0.5 * age), width: 1 + 3 * age)
            }
        }
    }

    // MARK: Velocities

    private static let usualArrow = 44.0
    private static let longestArrow = 60.0
    private static let shortestArrow = 9.0

    /// An object's velocity as an arrow's length and direction on the picture; nil if it hardly moves.
    func arrow(for velocity: Point) -> Point? {
        let speed = Point.zero.distance(to: velocity)
        guard usualSpeed > 0, speed > 0.01 * usualSpeed else { return nil }
        let length = min(
            max(Annotator.usualArrow * speed / usualSpeed, Annotator.shortestArrow), Annotator.longestArrow)
        return velocity * (length / speed)
    }

    /// Arrows that begin where the objects' discs or marks end. Objects with steps have theirs in lanes below, with signs.
    func vectors(at moment: AnnotatedMoment) -> [Node] {
        moment.objects.indices.flatMap { index -> [Node] in
            let (object, color) = (moment.objects[index], colors[index])
            let arrow = arrow(for: moment.velocities[index])
            if object.direction != nil { return signedArrow(arrow, ofObject: index, at: moment) }
            guard let arrow else { return [] }
            let unit = arrow * (1 / Point.zero.distance(to: arrow))
            let edge = marks[index].reach(beyond: object.radius * layout.scale)
            let start = layout.place(object.discCenter) + aside(of: object, heading: unit) + unit * (edge + 2.5)
            return haloed(from: start, along: arrow, color)
        }
    }

    /// From a point that runs along a line around the centre to beside that line, so that its arrow leaves the line's end
    /// to be seen; none for other objects.
    private func aside(of object: MovingObject, heading: Point) -> Point {
        guard object.radius == 0, case .outward = object.labelSide else { return .zero }
        let (left, arm) = (Point(heading.y, -heading.x), object.position - table.center)
        let isOutward = left.x * arm.x + left.y * arm.y > 0
        return left * ((lineWidth / 2 * layout.scale + Self.asideGap) * (isOutward ? 1 : -1))
    }

    /// Between a line and the middle of an arrow beside it: half the arrow's head.
    private static let asideGap = 4.5

    /// An arrow with a thin ground around it, so that it is seen on objects of any colour.
    private func haloed(from start: Point, along arrow: Point, _ color: Color) -> [Node] {
        let ground = Stroke(theme.backdrop, width: 2.5, join: .round)
        let parts = Draw.arrow(from: start, along: arrow, color)
        return parts.compactMap { part in
            guard case .shape(var shape) = part else { return nil }
            shape.stroke =
                shape.stroke.map { Stroke(theme.backdrop, width: $0.width + 2.5, cap: .square) } ?? ground
            return .shape(shape)
        } + parts
    }

    /// Where an object with steps has its own line below all of them, on the picture: the middle of its text.
    func laneAnchor(of index: Int, at moment: AnnotatedMoment) -> Point {
        let staged = moment.objects.indices.filter { moment.objects[$0].step != nil }
        let lane = staged.firstIndex(of: index) ?? 0
        let lowest = staged.map { moment.objects[$0].position.y + moment.objects[$0].radius }.max() ?? 0
        let center = layout.place(moment.objects[index].position)
        return Point(
            center.x,
            layout.place(Point(0, lowest)).y + AnnotationLayout.firstLane + AnnotationLayout.laneHeight * Double(lane))
    }

    /// A sign that stays below the object, and an arrow from the text's end to where the object goes.
    private func signedArrow(_ arrow: Point?, ofObject index: Int, at moment: AnnotatedMoment) -> [Node] {
        let (anchor, color) = (laneAnchor(of: index, at: moment), colors[index])
        let half = laneTextWidth(of: index, at: moment) / 2
        let sign = NumberText.signed(Double(moment.objects[index].direction ?? 0), places: 0)
        let text = Draw.text(
            sign, at: Point(anchor.x + half - Self.signWidth, anchor.y - 9), width: Self.signWidth, size: 13,
            color: theme.readable(color), alignment: .center, bold: true)
        guard let arrow else { return [text] }
        let start = anchor + Point(arrow.x < 0 ? -half - 3 : half + 3, 0)
        return Draw.arrow(from: start, along: arrow, color) + [text]
    }
}
