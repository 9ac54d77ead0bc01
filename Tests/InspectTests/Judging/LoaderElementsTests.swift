import Animations
import Core
import Render
import Testing

@testable import Inspect

@Suite struct LoaderElementsTests {
    private func elements(_ id: String) throws -> (LoaderElements, any Loader) {
        let definition = try #require(LoaderCatalog.builtIn.definitions.first { $0.id == id })
        let loader = try definition.make()
        return (LoaderElements(loader), loader)
    }

    /// Spots of one colour are told apart by the loader's objects, with what connects them.
    @Test func spotsOfOneColourAreElements() throws {
        let (elements, loader) = try elements("preloader")
        #expect(elements.names == ["left", "right", "spot 1", "spot 2", "spot 3"])
        for step in 0..<24 {
            let time = loader.period * Rational(Int128(step), 24)
            let found = elements.keyed(loader, at: time).map(\.element)
            #expect(found.first == 0 && found.dropFirst().first == 1, "\(step): \(found)")
            #expect(Set(found) == [0, 1, 2, 3, 4], "\(step): \(found)")
        }
    }

    /// Names are those of the objects, and unique.
    @Test(arguments: [("douyin", "note 2"), ("qq-mail", "red")])
    func elementsHaveTheNamesOfObjects(id: String, name: String) throws {
        let (elements, _) = try elements(id)
        #expect(elements.names.contains(name), "\(elements.names)")
        #expect(Set(elements.names).count == elements.names.count)
    }

    /// A square of which only the opacity changes.
    private struct FadingSquare: Loader {
        let id = "fade"
        let canvas = Size(40, 40)
        let period: Rational = 1

        func nodes(at time: Rational) -> [Node] {
            let square = Node.shape(Shape(.rectangle(Rect(x: 10, y: 10, width: 20, height: 20)), fill: .black))
            return time == 0 ? [square] : [.group(Group(opacity: 1 - time.double, nodes: [square]))]
        }

        func objects(at time: Rational) -> [MovingObject] {
            [MovingObject("square", .black, at: Point(20, 20), radius: 10)]
        }
    }

    /// An object is the same whether it is opaque or not.
    @Test func fadingObjectsAreOneElement() {
        #expect(LoaderElements(FadingSquare()).names == ["square"])
    }

    /// Two squares of one colour, of which one moves: its object draws the second node.
    private struct TwoSquares: Loader {
        let id = "two"
        let canvas = Size(40, 40)
        let period: Rational = 1

        func nodes(at time: Rational) -> [Node] {
            [5, 25 - 10 * time.double].map {
                .shape(Shape(.rectangle(Rect(x: $0, y: 10, width: 8, height: 8)), fill: Color(200, 0, 80)))
            }
        }

        func objects(at time: Rational) -> [MovingObject] {
            [MovingObject("mover", .black, at: Point(29 - 10 * time.double, 14))]
        }

        func drawing(ofObject name: String, at time: Rational) -> [Node]? { [nodes(at: time)[1]] }
    }

    /// Elements are named after the object that draws them, even if notes give it another colour.
    @Test func objectsNameWhatTheyDraw() {
        #expect(LoaderElements(TwoSquares()).names == ["element 1", "mover"])
    }

    /// Two squares, of which notes show one.
    private struct OneNotedSquare: Loader {
        let id = "noted"
        let canvas = Size(40, 40)
        let period: Rational = 1
        var hasAllObjects = false

        var withAllObjects: any Loader { OneNotedSquare(hasAllObjects: true) }

        func nodes(at time: Rational) -> [Node] { [5, 25 - 10 * time.double].map(square) }

        private func square(x: Double) -> Node {
            .shape(Shape(.rectangle(Rect(x: x, y: 10, width: 8, height: 8)), fill: Color(200, 0, 80)))
        }

        func objects(at time: Rational) -> [MovingObject] {
            let mover = MovingObject("mover", .black, at: Point(29 - 10 * time.double, 14))
            return hasAllObjects ? [MovingObject("base", .black, at: Point(9, 14)), mover] : [mover]
        }

        func drawing(ofObject name: String, at time: Rational) -> [Node]? {
            [nodes(at: time)[name == "base" ? 0 : 1]]
        }
    }

    @Test func objectsWithoutNotesNameWhatTheyDraw() {
        #expect(LoaderElements(OneNotedSquare()).names == ["base", "mover"])
    }

    /// A record consists of several nodes, of which those with names of their own are judged, too.
    @Test func severalNodesAreOneElement() throws {
        let definition = try #require(LoaderCatalog.builtIn.definitions.first { $0.id == "douyin" })
        let loader = try definition.make()
        let builder = ModelBuilder(request: LoaderRequest(definition), elements: LoaderElements(loader))
        var elements = builder.elements
        elements.rename(by: builder.parameterVariants(), of: loader)
        let judged = elements.judged.map { elements.names[$0] }
        #expect(Set(judged) == ["record", "disc", "cover", "note 1", "note 2", "note 3"], "\(judged)")
        let record = try #require(elements.names.firstIndex(of: "record"))
        var nodes = elements.keyed(loader, at: 0)
        let own = nodes.filter { elements.shows($0, record) }
        #expect(own.count == nodes.count - 3)
        ElementEdit(element: record, change: .resize(1.1)).apply(to: &nodes, of: elements) { _ in [] }
        let after = nodes.filter { elements.shows($0, record) }.compactMap(\.node.bounds)
        let bounds = try zip(own.map { try #require($0.node.bounds) }, after).map { $1.width / $0.width }
        #expect(bounds.allSatisfy { abs($0 - 1.1) < 1e-6 }, "\(bounds)")
    }

    /// Two discs on each other, which together are half transparent.
    @Test func severalNodesFadeTogether() throws {
        let discs = StackedDiscs()
        let elements = LoaderElements(discs)
        let stack = try #require(elements.names.firstIndex(of: "stack"))
        var nodes = elements.keyed(discs, at: 0)
        ElementEdit(element: stack, change: .fade(0.5)).apply(to: &nodes, of: elements) { _ in [] }
        guard nodes.count == 2, case .group(let group) = nodes[0].node else {
            Issue.record("\(nodes)")
            return
        }
        #expect(group.opacity == 0.5)
        #expect(group.nodes == Array(discs.nodes(at: 0).prefix(2)))
    }

    private struct StackedDiscs: Loader {
        let id = "stack"
        let canvas = Size(40, 40)
        let period: Rational = 1

        func nodes(at time: Rational) -> [Node] {
            let discs = [8.0, 4].map { Node.shape(Shape(.circle(center: Point(12, 12), radius: $0), fill: .black)) }
            return discs + [.shape(Shape(.circle(center: Point(20 + 10 * time.double, 30), radius: 3), fill: .white))]
        }

        func parts(at time: Rational) -> [LoaderPart] { [LoaderPart("stack", nodes: Array(nodes(at: time).prefix(2)))] }
    }

    /// Each ball covers each other ball at some time, and none of one colour covers another.
    @Test func coveredElementsAreKnown() throws {
        let (balls, _) = try elements("qq-mail")
        #expect(balls.overlaps.count == 6)
        let (spots, _) = try elements("preloader")
        #expect(spots.overlaps.isEmpty)
    }
}
