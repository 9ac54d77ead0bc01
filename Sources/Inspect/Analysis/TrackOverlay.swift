import Core

/// The tracks and phases that are drawn over the frames of a clip.
struct TrackOverlay {
    private let analysis: ClipAnalysis
    /// The line width in pixels.
    private let width: Double
    /// The radius of the outline of each object in pixels.
    private let radii: [Double]

    init(_ analysis: ClipAnalysis) {
        self.analysis = analysis
        let width = max(1, Double(min(analysis.width, analysis.height)) / 240)
        self.width = width
        radii = analysis.objects.map { ($0.area / .pi).squareRoot() + 1.5 * width }
    }

    /// Returns the overlay of a frame: trails of the last half second, an outline and a number for
    /// each object, and the phase with the directions.
    func nodes(_ number: Int) -> [Node] {
        var nodes: [Node] = []
        var first = number
        while first > 0, analysis.times[first - 1] >= analysis.times[number] - 0.5 { first -= 1 }
        for (index, object) in analysis.objects.enumerated() {
            let center = object.positions[number]
            nodes += outlined(.polyline(Array(object.positions[first...number])))
            let isGuessed = object.isGuessed(at: number)
            nodes += outlined(.circle(center: center, radius: radii[index]), isGuessed ? 0.4 : 1)
            nodes += label("\(index + 1)", at: center)
        }
        return nodes + phaseLine(number)
    }

    /// Returns a black line with a white border, which is visible on any background.
    private func outlined(_ path: Path, _ opacity: Double = 1) -> [Node] {
        [(Color.white, 2.4), (Color.black, 1.0)].map { color, factor in
            .shape(
                Shape(path, stroke: Stroke(color.opacity(opacity), width: factor * width, cap: .round, join: .round)))
        }
    }

    private var fontSize: Double { max(9, 11 * width) }

    private func label(_ string: String, at center: Point) -> [Node] {
        let box = Rect(x: center.x - 20 * width, y: center.y - fontSize * 0.65, width: 40 * width, height: 2 * fontSize)
        return shadowed(Text(string, frame: box, fontSize: fontSize, color: .black, alignment: .center, bold: true))
    }

    private func shadowed(_ text: Text) -> [Node] {
        var light = text
        light.color = .white
        let halo = [(-1.0, 0.0), (1, 0), (0, -1), (0, 1)].map { x, y -> Node in
            var copy = light
            copy.frame.x += x * width
            copy.frame.y += y * width
            return .text(copy)
        }
        return halo + [.text(text)]
    }

    private func phaseLine(_ number: Int) -> [Node] {
        let time = analysis.times[number]
        var string = "\(time.roundedToThousandths) s"
        if let phases = analysis.phases {
            let phase = PhaseGrid(length: phases.phase, origin: phases.firstPhase).phase(at: time)
            let index = max(0, min(phases.phaseCount - 1, phase.index))
            let moves = phases.members.enumerated().map { member, object -> String in
                let step = phases.table.steps(of: member, phases: index + 1)[index]
                let direction = phases.table.directions[step]
                return "\(object + 1): \(direction > 0 ? "+1" : "\(direction)")"
            }
            string += "   phase \(index)   " + moves.joined(separator: "   ")
        }
        let margin = 4 * width
        let box = Rect(x: margin, y: margin, width: Double(analysis.width) - 2 * margin, height: 2 * fontSize)
        return shadowed(Text(string, frame: box, fontSize: fontSize, color: .black))
    }
}
