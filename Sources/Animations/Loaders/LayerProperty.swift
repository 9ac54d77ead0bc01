/// A number of a layer of a Lottie file's main composition: a constant, or the range of a value
/// with keyframes.
package struct LayerProperty: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The corner radius of all the layer's rectangles, in points.
        case cornerRadius
        /// A coordinate of the anchor point, about which the layer is rotated and scaled, in
        /// points.
        case anchorX, anchorY
        /// The largest distance of a keyframe's value from that of the first one: in points, in
        /// percent of the size, in degrees and in percent of the opacity.
        case positionRange, scaleRange, rotationRange, opacityRange
    }

    /// The index of the layer.
    package var layer: Int
    package var kind: Kind

    package init(layer: Int, kind: Kind) {
        self.layer = layer
        self.kind = kind
    }
}
