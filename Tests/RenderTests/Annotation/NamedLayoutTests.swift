import Animations
import Core
import Testing

@testable import Render

/// The choice between columns and rows of names.
@Suite struct NamedLayoutTests {
    /// Dots in a row that move together.
    private struct Row: Loader {
        let count: Int
        var side = LabelSide.margin
        var canvas: Size { Size(300, 200) }
        var period: Rational { 1 }

        private func center(_ index: Int, _ time: Rational) -> Point {
            Point(300 * (Double(index) + 0.5) / Double(count), 60 + 80 * time.double)
        }

        func nodes(at time: Rational) -> [Node] {
            (0..<count).map { Draw.dot(center($0, time), radius: 6, fill: .black) }
        }

        func objects(at time: Rational) -> [MovingObject] {
            (0..<count).map {
                MovingObject("dot \($0)", .black, at: center($0, time), radius: 6, depth: $0, labelSide: side)
            }
        }
    }

    /// A choice with the contents and layouts that were tried for it.
    private struct Choice {
        let survey: LoaderSurvey
        let shown: Rect
        let best: NamedLayout
        let contents: [AnnotationContent]
        let layouts: [AnnotationLayout]

        /// - Parameter rowMetrics: the kind of layouts with rows.
        init(_ loader: any Loader, shown: Rect, rowMetrics: AnnotationMetrics = .standard) {
            let survey = LoaderSurvey(loader)
            let content = Annotator.content(
                survey, kinds: [.labels], namesObjects: true, used: survey.used, language: .en)
            var contents: [AnnotationContent] = []
            var layouts: [AnnotationLayout] = []
            best = NamedLayout.best(content, survey, beside: shown, language: .en) { content in
                var layout = AnnotationLayout(content, kinds: [.labels])
                if content.nameRows > 0 { layout.metrics = rowMetrics }
                contents.append(content)
                layouts.append(layout)
                return (layout, .standard(survey.table, language: .en))
            }
            self.survey = survey
            self.shown = shown
            self.contents = contents
            self.layouts = layouts
        }

        /// Returns the cost of a layout: that of conflicts of its names, and of a smaller drawing.
        func cost(_ layout: AnnotationLayout, _ names: [Int: Rect]?) -> Double {
            let plan = LeaderPlan(survey, layout: layout)
            let names =
                names ?? MarginNames.boxes(survey, plan, beside: shown, layout: layout, language: .en)
            return (plan?.conflicts(of: names) ?? 0) + 240 * log2(layouts[0].scale / layout.scale)
        }
    }

    private static let canvas = Rect(x: 0, y: 0, width: 300, height: 200)
    /// A part of the canvas that is much smaller than the panel.
    private static let part = Rect(x: 145, y: 95, width: 10, height: 10)

    @Test func oneNameBesideALargeDrawingIsInAColumn() {
        let choice = Choice(Row(count: 1), shown: Self.canvas)
        #expect(choice.contents.map(\.nameRows) == [0])
        #expect(choice.best.names.count == 1 && choice.contents[0].nameColumn > 0)
    }

    @Test func columnsAndRowsAreTriedBesideASmallDrawing() {
        let choice = Choice(Row(count: 2), shown: Self.part)
        let column = choice.contents[0].nameColumn
        #expect(column > 0 && choice.contents.map(\.nameColumn) == [column, column, 0, 0])
        #expect(choice.contents.map(\.nameRows) == [0, 1, 1, 2].map { $0 == 0 ? 0 : NameSlots.height(ofRows: $0) })
    }

    @Test func layoutsWithoutAColumnOrWithManyNamesHaveNoOther() {
        let many = Choice(Row(count: LeaderPlan.maxNames + 1), shown: Self.part)
        #expect(many.contents.count == 1 && many.best.names.count == LeaderPlan.maxNames + 1)
        let none = Choice(Row(count: 2, side: .above(row: 0)), shown: Self.part)
        #expect(none.contents.map(\.nameColumn) == [0] && none.best.names.isEmpty)
    }

    @Test(arguments: [2, 3]) func bestLayoutHasTheSmallestCost(columns: Int) {
        let choice = Choice(LeaderPlanTests.Balls(columns: columns), shown: Self.part)
        let costs = choice.layouts.map { choice.cost($0, nil) }
        #expect(costs.count == 4)
        let best = choice.cost(choice.best.layout, choice.best.names)
        #expect(abs(best - (costs.min() ?? .infinity)) < 1e-6, "\(costs)")
    }

    /// A layout of another kind has another size.
    @Test func layoutsOfAnotherKindAreNotCompared() {
        let choice = Choice(Row(count: 3), shown: Self.part, rowMetrics: .fixedAspect)
        #expect(choice.layouts.count == 4)
        #expect(choice.best.layout.metrics == .standard && choice.best.layout.scale == choice.layouts[0].scale)
    }

    // MARK: Positions

    /// Names of two balls on the wrong sides change them.
    @Test func namesOnTheWrongSidesChangeSides() throws {
        let choice = Choice(LeaderPlanTests.Balls(columns: 2), shown: Self.canvas)
        let layout = choice.layouts[0]
        let plan = try #require(LeaderPlan(choice.survey, layout: layout))
        let (corner, end) = (layout.place(.zero), layout.place(Point(300, 200)))
        let drawing = Rect(x: corner.x, y: corner.y, width: end.x - corner.x, height: end.y - corner.y)
        let slots = NameSlots(room: layout.panel.expanded(by: -2), drawing: drawing, gap: MarginNames.gap)
        let own = MarginNames.boxes(choice.survey, plan, beside: choice.shown, layout: layout, language: .en)
        let swapped = [0: try #require(own[1]), 1: try #require(own[0])]
        #expect(plan.conflicts(of: own) < plan.conflicts(of: swapped))
        #expect(plan.conflicts(of: plan.improved(swapped, in: slots)) < plan.conflicts(of: swapped))
        #expect(plan.improved(own, in: slots) == own)
        #expect(plan.improved([0: drawing], in: slots) == [0: drawing])
    }
}
