import Animations
import Core

/// The overlays that follow the objects: ghosts, trails and velocity arrows.
extension Annotator {
    // MARK: Ghosts

    /// Returns faint copies of the loader at the start and end of the phase, with thin circles
    /// around the objects' discs.
    func ghosts(at moment: AnnotatedMoment) -> [Node] {
        bandCache.ghosts(ofPhase: moment.phase.index) { ghosts(of: moment.phase) }
    }

    /// The opacity of ghosts.
    private static let ghostOpacity = 0.16

    /// Returns the instants of a phase at which ghosts are drawn: its start and its last instant.
    private func ghostTimes(_ phase: Phase) -> [Rational] {
        [phase.start, phase.end - min(Kinematics.step, phase.duration / 8)]
    }

    /// Returns the ghosts of an object; none if the loader does not know its drawing.
    package func ghosts(ofObject name: String, at time: Rational) -> [Node] {
        ghostTimes(loader.phase(at: time)).compactMap { instant in
            loader.drawing(ofObject: name, at: instant).map { nodes in
                Node.group(Group(transform: canvasTransform, opacity: Self.ghostOpacity, nodes: nodes))
            }
        }
    }

    private func ghosts(of phase: Phase) -> [Node] {
        let times = ghostTimes(phase)
        let end = times[1]
        let copies = times.map { time in
            Node.group(
                Group(transform: canvasTransform, opacity: Self.ghostOpacity, nodes: loader.nodes(at: time)))
        }
        let first = loader.objects(at: phase.start)
        let last = loader.positions(atEndOf: phase)
        let discs = loader.objects(at: end)
        let circles = first.indices.flatMap { index -> [Node] in
            let from = first[index].position
            let to = last[index]
            guard first[index].radius > 0, first[index].hasPosition, from.distance(to: to) > Kinematics.minJump else {
                return []
            }
            let radii = [first[index].radius, discs[index].radius]
            let centers = [first[index].discCenter, to + (discs[index].discCenter - discs[index].position)]
            return zip(centers, radii).map { center, radius in
                ghostCircle(layout.place(center), radius: radius * layout.scale, colors[index].opacity(0.7))
            }
        }
        return copies + circles
    }

    private func ghostCircle(_ center: Point, radius: Double, _ color: Color) -> Node {
        guard radius < 8 else { return Draw.dashedCircle(center: center, radius: radius, color) }
        return .shape(Shape(.circle(center: center, radius: radius), stroke: Stroke(color, width: 1, join: .round)))
    }

    // MARK: Trails

    /// Returns the objects' paths during the last fifth of the period, as lines that become wider
    /// and more opaque.
    func trails(at moment: AnnotatedMoment) -> [Node] {
        let steps = hasFixedAspect ? 24 : 40
        let length = loader.period / 5
        let positions = (0...steps).map { step in
            let time = (moment.time - length * Rational(Int128(steps - step), Int128(steps))).modulo(loader.period)
            return loader.objects(at: time).map(\.position)
        }
        let interval = length / Rational(steps)
        let jumpDistance = MotionCurves.jumpDistance(on: loader.canvas)
        return moment.objects.indices.filter { moment.objects[$0].hasPosition }.flatMap { index -> [Node] in
            let jumps = table.jumps(ofObject: index)
            func hasJump(in step: Int) -> Bool {
                jumps.contains {
                    (moment.time - interval * Rational(steps - step - 1) - $0).modulo(loader.period) < interval
                }
            }
            // A path ends where the object jumps: the part before the jump would be disconnected.
            let first = (0..<steps).last { hasJump(in: $0) }.map { $0 + 1 } ?? 0
            return (first..<steps).compactMap { step -> Node? in
                let from = positions[step][index]
                let to = positions[step + 1][index]
                let distance = from.distance(to: to)
                guard distance > Kinematics.minJump, distance < jumpDistance else { return nil }
                let age = Double(step + 1) / Double(steps)
                return Draw.line(
                    layout.place(from), layout.place(to), colors[index].opacity(0.1 + 0.5 * age), width: 1 + 3 * age)
            }
        }
    }

    // MARK: Velocities

    /// The length of the arrow for `referenceSpeed`, in points of the frame.
    static let referenceArrow = 44.0
    /// The maximum length of an arrow in points of the frame.
    private static let maxArrow = 60.0
    /// The minimum length of an arrow in points of the frame: that of its head.
    private static let minArrow = 9.0

    /// Returns the arrow for a velocity, in points of the frame; nil below one percent of
    /// `referenceSpeed`.
    func arrow(for velocity: Point) -> Point? {
        let speed = Point.zero.distance(to: velocity)
        guard referenceSpeed > 0, speed > 0.01 * referenceSpeed else { return nil }
        let length = min(
            max(Annotator.referenceArrow * speed / referenceSpeed, Annotator.minArrow), Annotator.maxArrow)
        return velocity * (length / speed)
    }

    /// Returns the velocity arrows of visible objects that move visibly, from the edge of the disc
    /// or mark. The arrows of objects with steps are in label rows below the objects, with signs.
    func vectors(at moment: AnnotatedMoment) -> [Node] {
        moment.objects.indices.flatMap { index -> [Node] in
            let object = moment.objects[index]
            let color = colors[index]
            let arrow = arrow(for: moment.velocities[index])
            if object.direction != nil { return signedArrow(arrow, ofObject: index, at: moment) }
            guard let arrow, moment.extents[index] != nil, curves.moves(index) else { return [] }
            let unit = arrow * (1 / Point.zero.distance(to: arrow))
            let edge = marks[index].outerRadius(around: object.radius * layout.scale)
            let start = layout.place(object.discCenter) + aside(of: object, heading: unit) + unit * (edge + 2.5)
            return haloed(from: start, along: arrow, color)
        }
    }

    /// Returns the offset of an arrow whose object is the end of a line around the centre. The
    /// arrow is drawn beside the line, since it has the line's colour, and leaves the end visible.
    /// The offset of other objects is zero.
    private func aside(of object: MovingObject, heading: Point) -> Point {
        guard 2 * object.radius <= lineWidth, case .outward = object.labelSide else { return .zero }
        let left = Point(heading.y, -heading.x)
        let arm = object.position - table.center
        let isOutward = left.x * arm.x + left.y * arm.y > 0
        return left * ((lineWidth / 2 * layout.scale + Self.asideGap) * (isOutward ? 1 : -1))
    }

    /// The distance in points between a line and the middle of an arrow beside it: half the width
    /// of the arrow's head.
    private static let asideGap = 4.5

    /// Returns an arrow with a thin halo, which makes it visible on objects of any colour.
    private func haloed(from start: Point, along arrow: Point, _ color: Color) -> [Node] {
        let halo = Stroke(theme.backdrop, width: 2.5, join: .round)
        let parts = Draw.arrow(from: start, along: arrow, color)
        return parts.compactMap { part in
            guard case .shape(var shape) = part else { return nil }
            shape.stroke =
                shape.stroke.map { Stroke(theme.backdrop, width: $0.width + 2.5, cap: .square) } ?? halo
            return .shape(shape)
        } + parts
    }

    /// Returns the centre of the label row of an object with steps, on the frame. Each of these
    /// objects has its own row below all of them. A row stays so far from the edges of its panel
    /// that its arrow has room on both sides.
    func labelRowAnchor(of index: Int, at moment: AnnotatedMoment) -> Point {
        let stepped = moment.objects.indices.filter { moment.objects[$0].step != nil }
        let row = stepped.firstIndex(of: index) ?? 0
        let lowest = stepped.map { moment.objects[$0].position.y + moment.objects[$0].radius }.max() ?? 0
        let center = layout.place(moment.objects[index].position)
        let first = layout.place(Point(0, lowest)).y + AnnotationLayout.firstLabelRowOffset
        let y = first + AnnotationLayout.labelRowHeight * Double(row)
        guard layout.clipsCanvas, kinds.contains(.vectors) else { return Point(center.x, y) }
        let room = labelRowWidth(of: index, at: moment) / 2 + arrowRoom(rowArrowScale(at: moment))
        let low = layout.panel.x + room
        let high = layout.panel.maxX - room
        return Point(low < high ? min(max(center.x, low), high) : layout.panel.center.x, y)
    }

    /// The distance between the text of a label row and its arrow, in points of the frame.
    private static let arrowGap = 3.0
    /// The minimum factor on arrows in label rows. Shorter ones would be little more than heads.
    private static let minRowArrowScale = 0.7
    /// The space between an arrow and the edge of its panel, in points of the frame.
    private static let arrowMargin = 4.0

    /// Returns the space that an arrow needs beside the text of its row, by the factor on arrows.
    private func arrowRoom(_ scale: Double) -> Double {
        Self.arrowGap + scale * Self.referenceArrow + Self.arrowMargin
    }

    /// Returns the factor on arrows in label rows of a panel, by which those of the outermost
    /// positions end inside it.
    private func rowArrowScale(at moment: AnnotatedMoment) -> Double {
        guard layout.clipsCanvas, let range = stepRange else { return 1 }
        let widths = moment.objects.indices.filter { moment.objects[$0].step != nil }
            .map { labelRowWidth(of: $0, at: moment) }
        let left = layout.place(Point(range.lowerBound, 0)).x - layout.panel.x
        let right = layout.panel.maxX - layout.place(Point(range.upperBound, 0)).x
        let room = min(left, right) - (widths.max() ?? 0) / 2 - arrowRoom(0)
        return min(1, max(Self.minRowArrowScale, room / Self.referenceArrow))
    }

    /// Returns the sign of the direction, which stays below the object, and an arrow from the end
    /// of the text.
    private func signedArrow(_ arrow: Point?, ofObject index: Int, at moment: AnnotatedMoment) -> [Node] {
        let anchor = labelRowAnchor(of: index, at: moment)
        let color = colors[index]
        let half = labelRowWidth(of: index, at: moment) / 2
        let sign = NumberText.signed(Double(moment.objects[index].direction ?? 0), places: 0)
        let text = Draw.text(
            sign, at: Point(anchor.x + half - Self.signWidth, anchor.y - 9), width: Self.signWidth, size: 13,
            color: theme.readable(color), alignment: .center, bold: true)
        guard let arrow = arrow.map({ $0 * rowArrowScale(at: moment) }) else { return [text] }
        let start = anchor + Point(arrow.x < 0 ? -half - Self.arrowGap : half + Self.arrowGap, 0)
        return Draw.arrow(from: start, along: arrow, color) + [text]
    }
}
