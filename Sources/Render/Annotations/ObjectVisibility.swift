import Animations
import Core

/// The visible shares of a loader's objects at an instant.
package struct ObjectVisibility {
    private let loader: any Loader
    private let time: Rational
    private let whole: CanvasBitmap?

    /// - Parameter time: the model time in 0..<`period`, in seconds.
    package init(_ loader: any Loader, at time: Rational) {
        self.loader = loader
        self.time = time
        whole = CanvasBitmap(loader.nodes(at: time), canvas: loader.canvas)
    }

    /// Returns the share of an object's drawing that nothing covers or cuts off, 0...1; 0 for an
    /// object that draws nothing, and nil if the loader does not know its drawing.
    package func share(ofObject name: String) -> Double? {
        guard let nodes = loader.drawing(ofObject: name, at: time), let whole,
            let own = CanvasBitmap(nodes, canvas: loader.canvas)
        else { return nil }
        return ObjectInk(own, among: whole, in: Rect(size: loader.canvas)).visibleShare
    }
}
