/// A constant number of a layer of a Lottie file's main composition.
package struct LayerProperty: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The corner radius of all the layer's rectangles, in points.
        case cornerRadius
        /// A coordinate of the anchor point, about which the layer is rotated and scaled, in
        /// points.
        case anchorX, anchorY
    }

    /// The index of the layer.
    package var layer: Int
    package var kind: Kind

    package init(layer: Int, kind: Kind) {
        self.layer = layer
        self.kind = kind
    }
}
