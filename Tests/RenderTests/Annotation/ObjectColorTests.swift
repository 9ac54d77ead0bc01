import Animations
import Core
import Testing

@testable import Render

/// The colours of objects in annotations and plots.
@Suite struct ObjectColorTests {
    private static let backgrounds = [Color.white, Color(244, 245, 247), Color.black, Color(23, 24, 28)]

    private func objects(_ colors: [Color]) -> [MovingObject] {
        colors.enumerated().map { MovingObject("\($0)", $1, at: .zero, radius: 3) }
    }

    @Test(arguments: backgrounds) func equalObjectsHaveShadesOfTheirColour(_ background: Color) {
        for color in [Color(230, 40, 60), Color(60, 120, 220), Color(120, 120, 120)] {
            let theme = AnnotationTheme(background: background)
            let colors = theme.colors(for: objects(Array(repeating: color, count: 8)))
            let own = theme.visible(color)
            for (index, shade) in colors.enumerated() {
                #expect(shade.distance(to: own) <= 20)
                #expect(shade.contrast(to: background) >= 3)
                #expect(!colors[..<index].contains { $0.distance(to: shade) < 4 }, "\(color.hexString): \(index)")
            }
        }
    }

    /// Shades of black differ on a screen that reflects light. The first object keeps its colour.
    @Test(arguments: [Color.black, Color(24, 48, 44), Color(32, 36, 44)]) func blackObjectsAreToldApart(_ color: Color)
    {
        let theme = AnnotationTheme(background: .white)
        let colors = theme.colors(for: objects(Array(repeating: color, count: 8)))
        #expect(colors[0] == color)
        // Mixed in sRGB, about the light of a lit room.
        func seen(_ color: Color) -> Color { color.mixed(with: .white, 0.25) }
        for (index, shade) in colors.enumerated() {
            #expect(shade.contrast(to: .white) >= 3 && shade.distance(to: color) <= 36, "\(shade.hexString)")
            let nearest = colors[..<index].map { seen($0).distance(to: seen(shade)) }.min() ?? 100
            #expect(nearest >= 10, "\(index): \(shade.hexString) \(nearest)")
        }
    }

    @Test func differentColoursStayAsTheyAreDrawn() {
        let colors = [Color(200, 30, 30), Color(30, 90, 200), Color(0, 110, 50)]
        #expect(AnnotationTheme(background: .white).colors(for: objects(colors)) == colors)
    }

    @Test func anObjectHasOneColourOnAllLightAndOnAllDarkBackgrounds() {
        let drawn = objects([Color(255, 210, 60), Color(40, 60, 90), Color(255, 210, 60)])
        let colors = Self.backgrounds.map { AnnotationTheme(background: $0).colors(for: drawn) }
        #expect(colors[0] == colors[1])
        #expect(colors[2] == colors[3])
    }
}
