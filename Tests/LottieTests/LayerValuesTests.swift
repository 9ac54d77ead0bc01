import Animations
import Testing

@testable import Lottie

/// The numbers of layers for which `compare` tries other values.
@Suite struct LayerValuesTests {
    private func json(_ layers: String) throws -> JSON { try JSON(parsing: Array(#"{"layers":[\#(layers)]}"#.utf8)) }

    private static let rotating = #""r":{"a":1,"k":[{"t":0,"s":[0]},{"t":60,"s":[90]}]}"#

    /// A layer with two rectangles in a group.
    private func layer(_ transform: String, radii: [String]) -> String {
        let shapes = radii.map { #"{"ty":"rc","r":\#($0)}"# }.joined(separator: ",")
        return #"{"ty":4,"ks":{\#(transform)},"shapes":[{"ty":"gr","it":[\#(shapes)]}]}"#
    }

    private func corner(_ layer: Int) -> LayerProperty { LayerProperty(layer: layer, kind: .cornerRadius) }

    @Test func onlyCommonConstantRadiiCount() throws {
        let same = layer("", radii: [#"{"k":6}"#, #"{"k":[6]}"#])
        let different = layer("", radii: [#"{"k":6}"#, #"{"k":5}"#])
        let animated = layer("", radii: [#"{"a":1,"k":[{"t":0,"s":[0]},{"t":9,"s":[5]}]}"#])
        let values = try json([same, different, animated].joined(separator: ",")).layerValues
        #expect(values == [corner(0): 6])
    }

    /// Another anchor point of a layer that only moves is another position.
    @Test func anchorsOfRotatingLayersCount() throws {
        let still = layer(#""a":{"k":[1,2]}"#, radii: [])
        let rotating = layer(#""a":{"k":[3,4,0]},"# + Self.rotating, radii: [])
        let values = try json([still, rotating].joined(separator: ",")).layerValues
        let anchor: [LayerProperty: Double] = [
            LayerProperty(layer: 1, kind: .anchorX): 3, LayerProperty(layer: 1, kind: .anchorY): 4,
        ]
        #expect(values == anchor.merging([LayerProperty(layer: 1, kind: .rotationRange): 90]) { $1 })
    }

    @Test func valuesAreReplaced() throws {
        let file = try json(layer(Self.rotating, radii: [#"{"k":6}"#, #"{"k":6}"#]))
        let anchorX = LayerProperty(layer: 0, kind: .anchorX)
        let anchorY = LayerProperty(layer: 0, kind: .anchorY)
        let changed = file.with([corner(0): 2, anchorX: 5])
        let rotation = LayerProperty(layer: 0, kind: .rotationRange)
        #expect(changed.layerValues == [corner(0): 2, anchorX: 5, anchorY: 0, rotation: 90])
        #expect(file.with([LayerProperty: Double]()) == file && file.with([corner(7): 2]) == file)
    }

    /// The range of a value is how far its keyframes are from the first one. All of them move, and
    /// so do the tangents of a path.
    @Test func rangesOfKeyframesAreReplaced() throws {
        let position =
            #""p":{"a":1,"k":[{"t":0,"s":[10,50],"to":[4,0],"ti":[-4,0]},{"t":9,"s":[40,90]},{"t":18,"s":[10,50]}]}"#
        let split = #""p":{"s":true,"x":{"a":1,"k":[{"t":0,"s":[3]},{"t":9,"s":[6]}]},"y":{"a":0,"k":5}}"#
        let size = #""s":{"a":1,"k":[{"t":0,"s":[100,100,100]},{"t":9,"s":[60,60,100]}]}"#
        let file = try json([layer(position, radii: []), layer(split, radii: [])].joined(separator: ","))
        let first = LayerProperty(layer: 0, kind: .positionRange)
        let second = LayerProperty(layer: 1, kind: .positionRange)
        #expect(file.layerValues == [first: 50, second: 3])
        #expect(file.with([first: 25, second: 6]).layerValues == [first: 25, second: 6])
        let halved =
            #""p":{"a":1,"k":[{"t":0,"s":[10,50],"to":[2,0],"ti":[-2,0]},{"t":9,"s":[25,70]},{"t":18,"s":[10,50]}]}"#
        let nearer = try json([layer(halved, radii: []), layer(split, radii: [])].joined(separator: ","))
        #expect(file.with([first: 25]) == nearer)
        let pulse = try json(layer(size, radii: [])).layerValues
        #expect(pulse[LayerProperty(layer: 0, kind: .scaleRange)] == 40)
        let diagonal = #""p":{"a":1,"k":[{"t":0,"s":[0,0]},{"t":9,"s":[30,30]}]}"#
        let distance = try #require(try json(layer(diagonal, radii: [])).layerValues[first])
        #expect(abs(distance - 42.43) < 0.01)
    }
}
