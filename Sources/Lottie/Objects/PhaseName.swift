import Animations
import Core

/// The name of a phase, from what objects do in it: `cube drops, dots 1-3 bounce`.
struct PhaseName {
    let text: LocalizedText

    /// The share of the largest action below which another one is not mentioned.
    private static let minShare = 0.4
    /// The size of an action, relative to the largest of its kind, below which its object is not
    /// named with the others.
    private static let minSameShare = 0.25
    /// The maximum length of an object's name, in characters.
    private static let maxNameLength = 18

    /// The name of a phase with these actions.
    ///
    /// - Parameters:
    ///   - actions: what each object does, with its title; nil for nothing.
    ///   - isStill: true if nothing changes in the phase.
    init(_ actions: [(title: String, action: ObjectAction?)], isStill: Bool) {
        let acting = Self.alike(
            actions.compactMap { title, action in action.map { (title: title, action: $0) } })
        let sums = Dictionary(acting.map { ($0.action.kind, $0.action.size) }, uniquingKeysWith: +)
        let ranked = sums.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        guard let first = ranked.first else {
            text = isStill ? LocalizedText("rest", zh: "静止") : LocalizedText("details change", zh: "细节变化")
            return
        }
        let clauses = ranked.prefix(2).filter { $0.value >= Self.minShare * first.value }.map { kind, _ in
            let own = acting.filter { $0.action.kind == kind }
            let largest = own.map(\.action.size).max() ?? 0
            return Self.clause(kind, own.filter { $0.action.size >= Self.minSameShare * largest }.map(\.title))
        }
        text = LocalizedText(
            clauses.map(\.english).joined(separator: ", "),
            zh: clauses.map { $0.text(in: .zh) }.joined(separator: "，"))
    }

    /// Returns the actions with one verb for motions that differ in their direction only, if a name
    /// would not have room for all directions. Objects that move back and forth horizontally or
    /// vertically share a verb.
    private static func alike(_ acting: [(title: String, action: ObjectAction)]) -> [(
        title: String, action: ObjectAction
    )] {
        var acting = acting
        func replace(_ kinds: Set<ObjectAction.Kind>, with kind: ObjectAction.Kind, ifAtLeast count: Int) {
            let sums = Dictionary(
                acting.filter { kinds.contains($0.action.kind) }.map { ($0.action.kind, $0.action.size) },
                uniquingKeysWith: +)
            let largest = sums.values.max() ?? 0
            guard sums.values.filter({ $0 >= minShare * largest }).count >= count else { return }
            for index in acting.indices where kinds.contains(acting[index].action.kind) {
                acting[index].action.kind = kind
            }
        }
        replace([.bounce, .swing], with: .shuttle, ifAtLeast: 2)
        replace([.drop, .rise, .left, .right, .bounce, .swing, .shuttle], with: .move, ifAtLeast: 3)
        return acting
    }

    private static func clause(_ kind: ObjectAction.Kind, _ titles: [String]) -> LocalizedText {
        let verb = kind.verb
        let names = titles.map { $0.abbreviated(to: maxNameLength) }
        func chinese(_ parts: String...) -> String { SpacedChinese.joined(parts + [verb.chinese]) }
        if names.count == 1 { return LocalizedText("\(names[0]) \(verb.singular)", zh: chinese(names[0])) }
        if let run = NumberedNames(names) {
            return LocalizedText("\(run.english) \(verb.plural)", zh: chinese(run.chinese))
        }
        if names.count == 2 {
            return LocalizedText(
                "\(names[0]) and \(names[1]) \(verb.plural)", zh: chinese(names[0], "与", names[1]))
        }
        return LocalizedText("\(names.count) objects \(verb.plural)", zh: chinese("\(names.count)", "个对象"))
    }

    /// Returns names of which each repeated one has a number.
    static func unique(_ names: [LocalizedText]) -> [LocalizedText] {
        var counts: [LocalizedText: Int] = [:]
        return names.map { name in
            counts[name, default: 0] += 1
            guard let count = counts[name], count > 1 else { return name }
            return LocalizedText("\(name.english) (\(count))", zh: "\(name.text(in: .zh)) (\(count))")
        }
    }
}

/// Chinese text with the space that typesetters put beside Latin letters and digits.
enum SpacedChinese {
    /// Returns the parts as one text, with a space between two parts unless Chinese meets Chinese.
    static func joined(_ parts: [String]) -> String {
        parts.reduce("") { text, part in
            guard let last = text.last, let first = part.first else { return text + part }
            return text + (last.isASCII || first.isASCII ? " " : "") + part
        }
    }
}

/// Two names that differ only in the numbers at their ends, or more with consecutive numbers:
/// `dot 1`, `dot 2`, `dot 3`.
private struct NumberedNames {
    let english: String
    let chinese: String

    init?(_ names: [String]) {
        let parts = names.map { name in
            let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
            return (stem: String(name.dropLast(digits)), number: Int(name.suffix(digits)))
        }
        let numbers = parts.compactMap(\.number).sorted()
        guard let first = numbers.first, let last = numbers.last, numbers.count == names.count,
            Set(parts.map(\.stem)).count == 1, Set(numbers).count == names.count
        else { return nil }
        let isRun = last - first == names.count - 1
        guard isRun || names.count == 2 else { return nil }
        let stem = String(parts[0].stem.reversed().drop { " -_".contains($0) }.reversed())
        guard !stem.isEmpty else { return nil }
        let range = names.count == 2 ? "\(first) and \(last)" : "\(first)-\(last)"
        english = "\(Self.plural(of: stem)) \(range)"
        chinese = SpacedChinese.joined([stem, isRun ? "\(first)-\(last)" : "\(first)、\(last)"])
    }

    /// Returns the plural of an English noun by its ending. Names in other scripts, and words that
    /// already end in s, stay as they are.
    private static func plural(of noun: String) -> String {
        let word = noun.lowercased()
        guard let last = word.last, last.isASCII, last.isLetter else { return noun }
        if ["x", "z", "ch", "sh"].contains(where: word.hasSuffix) { return noun + "es" }
        if last == "y", let before = word.dropLast().last, !"aeiou".contains(before) {
            return noun.dropLast() + "ies"
        }
        return last == "s" ? noun : noun + "s"
    }
}
