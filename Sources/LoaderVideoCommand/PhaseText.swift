import Animations
import Core
import Render

/// A phase table as text in a language. Begins with the article's table, if there is one.
struct PhaseText {
    let id: String
    let table: PhaseTable
    let language: Language

    var text: String {
        var lines = [head]
        if let displacements = table.displacements {
            let caption = Glossary.phrase("displacement by step", in: language)
            lines += [caption + word(": ", "：") + "\(displacements)", startingSteps]
        }
        for row in table.rows {
            let phase = row.phase
            let start = Summary.length(phase.start.double)
            let duration = Summary.length(phase.duration.double)
            let time = word(
                "phase \(phase.index), \(start), for \(duration): ",
                "\(chinesePhase) \(phase.index)，始于 \(start)，历时 \(duration)：")
            lines += ["", time + phase.name.text(in: language).visible]
            lines += Table.lines(row.motions.indices.map { cells(row: phase.index, object: $0) })
        }
        return lines.joined(separator: "\n")
    }

    private var head: String {
        let count = table.rows.count
        let period = Summary.length(table.period.double)
        return word(
            "\(id.visible): \(Summary.count(count, "phase")), period \(period)",
            "\(id.visible)：\(count) \(Glossary.phrase("phases", in: .zh))，周期 \(period)")
    }

    private var startingSteps: String {
        let motions = table.rows.first?.motions ?? []
        let starts = motions.compactMap { motion in
            motion.step.map { "\(motion.title.text(in: language).visible) \($0)" }
        }
        return word("starting steps: ", "起始\(chineseStep)：") + starts.joined(separator: word(", ", "、"))
    }

    private func cells(row: Int, object: Int) -> [String] {
        let motion = table.rows[row].motions[object]
        let step = motion.step.map { word("step \($0)", "第 \($0) \(chineseStep)") }
        let direction = motion.direction.map { $0 > 0 ? "+\($0)" : "\($0)" }
        let displacement = table.displacement(ofObject: object, inPhase: row, isASCII: true, language: language)
        // Some objects have no steps although others have, such as QQ's drop.
        let steps = table.startingSteps.isEmpty ? [] : [step ?? "", direction ?? ""]
        return [motion.title.text(in: language)] + steps + [displacement]
    }

    // The same words as in rendered annotations.
    private let chinesePhase = Glossary.phrase("Phase", in: .zh)
    private let chineseStep = Glossary.phrase("step", in: .zh)

    private func word(_ english: String, _ chinese: String) -> String { language == .zh ? chinese : english }
}
