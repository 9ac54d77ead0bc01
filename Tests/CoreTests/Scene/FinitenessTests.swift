import Core
import Testing

/// Infinities and NaNs are found in every field of a scene.
@Suite struct FinitenessTests {
    private let disc = Node.shape(Shape(.circle(center: .zero, radius: 5), fill: .black))

    private func isFinite(_ node: Node) -> Bool {
        Scene(size: Size(10, 10), background: .white, nodes: [node]).isFinite
    }

    private func isFinite(_ stroke: Stroke) -> Bool {
        isFinite(.shape(Shape(.circle(center: .zero, radius: 5), stroke: stroke)))
    }

    private func isFinite(_ effects: Effect...) -> Bool { isFinite(.group(Group(nodes: [disc], effects: effects))) }

    private func isFinite(_ fill: Paint) -> Bool {
        isFinite(.shape(Shape(.circle(center: .zero, radius: 5), fill: fill)))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func everyFieldIsChecked(bad: Double) {
        #expect(isFinite(Stroke(.black, miterLimit: 4, dash: Stroke.Dash([1, 2], phase: 3))))
        #expect(!isFinite(Stroke(.black, width: bad)))
        #expect(!isFinite(Stroke(.black, miterLimit: bad)))
        #expect(!isFinite(Stroke(.black, dash: Stroke.Dash([1, bad]))))
        #expect(!isFinite(Stroke(.black, dash: Stroke.Dash([1, 2], phase: bad))))

        #expect(isFinite(.blur(Size(1, 2)), .luminanceToAlpha))
        #expect(!isFinite(.blur(Size(bad, 2))) && !isFinite(.blur(Size(1, bad))))
        #expect(!isFinite(.luminanceToAlpha, .shadow(.black, offset: Point(bad, 0), radius: 1, isShadowOnly: true)))
        #expect(!isFinite(.shadow(.black, offset: Point(0, bad), radius: 1, isShadowOnly: true)))
        #expect(!isFinite(.shadow(.black, offset: .zero, radius: bad, isShadowOnly: false)))
        #expect(!isFinite(.shadow(Color.black.opacity(bad), offset: .zero, radius: 1, isShadowOnly: false)))
        #expect(
            !isFinite(.fill(.black, amount: bad)) && !isFinite(.fill(Color(red: bad, green: 0, blue: 0), amount: 1)))
        #expect(!isFinite(.tint(black: .black, white: .white, amount: bad)))
        #expect(!isFinite(.tint(black: Color(red: 0, green: bad, blue: 0), white: .white, amount: 1)))
        #expect(!isFinite(.tint(black: .black, white: Color(red: 0, green: 0, blue: bad), amount: 1)))
    }

    @Test(arguments: [Double.nan, .infinity]) func groupsMasksAndPaintsAreChecked(bad: Double) {
        let wrong = Node.shape(Shape(.circle(center: Point(bad, 0), radius: 5), fill: .black))
        #expect(isFinite(.group(Group(nodes: [disc], mask: Mask([disc])))))
        #expect(!isFinite(.group(Group(nodes: [disc], mask: Mask([wrong])))))
        #expect(!isFinite(.group(Group(nodes: [disc], mask: Mask([.group(Group(nodes: [disc, wrong]))])))))
        #expect(!isFinite(.group(Group(nodes: [wrong]))))
        #expect(!isFinite(.group(Group(opacity: bad, nodes: [disc]))))
        #expect(!isFinite(.group(Group(clip: .circle(center: .zero, radius: bad), nodes: [disc]))))
        let stops = [GradientStop(0, .black), GradientStop(1, .white)]
        #expect(!isFinite(.linearGradient(LinearGradient(from: Point(bad, 0), to: .zero, stops: stops))))
        #expect(!isFinite(.radialGradient(RadialGradient(center: .zero, radius: bad, stops: stops))))
        #expect(!isFinite(.linearGradient(LinearGradient(from: .zero, to: .zero, stops: [GradientStop(bad, .black)]))))
        // The alpha of a colour is checked too.
        #expect(!isFinite(.color(Color.black.opacity(bad))))
        #expect(
            !isFinite(
                .linearGradient(
                    LinearGradient(from: .zero, to: .zero, stops: [GradientStop(0, Color.black.opacity(bad))]))))
    }
}
