import Animations
import Core
import Render

/// Sentences about what moves in a phase, for first scripts.
struct MotionSentence {
    private let loader: any Loader
    /// The names of the objects in both languages.
    private let names: [LocalizedText]
    /// The distance in points below which an object rests: a hundredth of the canvas.
    private let minDistance: Double

    init(_ loader: any Loader, names: [LocalizedText]) {
        self.loader = loader
        self.names = names
        minDistance = max(loader.canvas.width, loader.canvas.height) / 100
    }

    /// Maximum number of objects that a sentence names.
    private static let maxNames = 3
    /// The minimum change of an angle in degrees, and of a size or opacity as a share.
    private static let minChange = (angle: 3.0, share: 0.05)

    /// The motion of an object, in the words of a sentence.
    private enum Verb: Hashable {
        case right, left, up, down, round, outAndBack, turns, grows, shrinks, appears, disappears, rests

        /// The verb in English, for one object and for several, and in Chinese.
        var words: (one: String, several: String, zh: String) {
            switch self {
            case .right: ("moves right", "move right", "向右")
            case .left: ("moves left", "move left", "向左")
            case .up: ("rises", "rise", "上升")
            case .down: ("drops", "drop", "下落")
            case .round: ("goes round", "go round", "绕行")
            case .outAndBack: ("goes out and back", "go out and back", "出去又回来")
            case .turns: ("turns", "turn", "旋转")
            case .grows: ("grows", "grow", "变大")
            case .shrinks: ("shrinks", "shrink", "变小")
            case .appears: ("appears", "appear", "出现")
            case .disappears: ("disappears", "disappear", "消失")
            case .rests: ("rests", "rest", "静止")
            }
        }
    }

    /// Returns a sentence without its full stop; nil if no object moves.
    func text(of phase: Phase) -> LocalizedText? {
        let verbs = names.indices.map { verb(ofObject: $0, in: phase) }
        var order: [Verb] = []
        for verb in verbs where verb != .rests && !order.contains(verb) { order.append(verb) }
        guard !order.isEmpty else { return nil }
        if verbs.contains(.rests), order.count < 3 { order.append(.rests) }
        let parts = order.prefix(3).map { verb -> LocalizedText in
            let objects = names.indices.filter { verbs[$0] == verb }
            let words = verb.words
            return LocalizedText(
                "\(list(objects, .en)) \(objects.count == 1 ? words.one : words.several)",
                zh: list(objects, .zh) + space(after: list(objects, .zh)) + words.zh)
        }
        let english = parts.map { $0.text(in: .en) }.joined(separator: ", ")
        return LocalizedText(
            english.prefix(1).uppercased() + english.dropFirst(),
            zh: parts.map { $0.text(in: .zh) }.joined(separator: "，"))
    }

    /// Returns the space between a Latin name and the Chinese after it.
    private func space(after name: String) -> String { name.last?.isASCII ?? false ? " " : "" }

    private func list(_ objects: [Int], _ language: Language) -> String {
        guard objects.count <= Self.maxNames else {
            return language == .zh ? "\(objects.count) 个物体" : "\(objects.count) objects"
        }
        let words = objects.map { names[$0].text(in: language) }
        guard language == .en else { return words.joined(separator: "、") }
        return words.count < 2
            ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
    }

    /// The length of a path around something, as a multiple of the distance between its ends. That
    /// of a half circle is 1.57.
    private static let minDetour = 1.4

    /// Returns true if positions go round rather than out and back: they enclose an area.
    private func turnsRound(_ points: [Point]) -> Bool {
        guard let bounds = Rect(enclosing: points) else { return false }
        return min(bounds.width, bounds.height) > 2 * minDistance
    }

    private func verb(ofObject index: Int, in phase: Phase) -> Verb {
        let times = (0..<8).map { phase.start + phase.duration * Rational(Int128($0), 8) }
        let states = times.map { loader.objects(at: $0)[index] }
        let last = loader.objects(at: phase.end - min(Kinematics.step, phase.duration / 8))[index]
        let first = states[0]
        let way = loader.positions(atEndOf: phase)[index] - first.position
        let path = zip(states, states.dropFirst() + [last]).reduce(0) {
            $0 + $1.0.position.distance(to: $1.1.position)
        }
        if path > Self.minDetour * way.distance(to: .zero), turnsRound(states.map(\.position)) { return .round }
        if max(abs(way.x), abs(way.y)) > minDistance {
            return abs(way.x) >= abs(way.y) ? (way.x > 0 ? .right : .left) : (way.y > 0 ? .down : .up)
        }
        if states.contains(where: { $0.position.distance(to: first.position) > 2 * minDistance }) { return .outAndBack }
        if let start = first.pose, let end = last.pose {
            if end.opacity - start.opacity > 0.5 { return .appears }
            if start.opacity - end.opacity > 0.5 { return .disappears }
            if abs(end.rotation - start.rotation) > Self.minChange.angle { return .turns }
            let growth = (end.scale.x + end.scale.y) - (start.scale.x + start.scale.y)
            if abs(growth) > 2 * Self.minChange.share { return growth > 0 ? .grows : .shrinks }
        }
        let growth = last.radius - first.radius
        guard abs(growth) > Self.minChange.share * max(first.radius, last.radius) else { return .rests }
        return growth > 0 ? .grows : .shrinks
    }
}
