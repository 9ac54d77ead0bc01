import Animations
import Core
import Testing

@testable import Render

/// Contact sheets with annotations.
@Suite struct SheetTests {
    /// Returns the font sizes of the texts in nodes, on the sheet.
    private func fontSizes(_ nodes: [Node], scale: Double = 1) -> [Double] {
        nodes.flatMap { node -> [Double] in
            switch node {
            case .text(let text): [text.fontSize * scale]
            case .group(let group): fontSizes(group.nodes, scale: scale * group.transform.a)
            case .shape, .image: []
            }
        }
    }

    /// A sheet is viewed as a whole: its notes are as legible as those of a frame, and it is not
    /// much wider than a sheet without notes.
    @Test(arguments: AnnotationCase.usual) func notesAreLegible(subject: AnnotationCase) throws {
        let loader = try subject.loader()
        let plain = Storyboard.sheet(of: loader)
        let annotated = Storyboard.sheet(of: loader, annotations: AnnotationKind.all)
        #expect(annotated.size.width <= 1.4 * plain.size.width, "\(annotated.size.width) beside \(plain.size.width)")
        #expect(fontSizes(annotated.nodes).min() ?? 0 >= 5.95)
    }

    /// Without options, each row is a phase.
    @Test(arguments: [[], AnnotationKind.all]) func aRowIsAPhase(_ annotations: Set<AnnotationKind>) throws {
        let loader = try AnnotationCase(id: "qq-mail").loader()
        let count = annotations.isEmpty ? 4 : 2
        #expect(
            Storyboard.sheet(of: loader, annotations: annotations)
                == Storyboard.sheet(of: loader, columns: count, perPhase: count, annotations: annotations))
    }
}
