import Animations
import Core

/// The visible shares of a loader's objects at an instant.
package struct ObjectVisibility {
    private let loader: any Loader
    private let time: Rational
    private let whole: CanvasBitmap?

    /// The objects of a loader at an instant.
    ///
    /// - Parameter time: the model time in 0..<`period`, in seconds.
    package init(_ loader: any Loader, at time: Rational) {
        self.loader = loader
        self.time = time
        whole = CanvasBitmap(loader.nodes(at: time), canvas: loader.canvas)
    }

    /// The share of an object's drawing below which something covers or cuts it. Bitmaps differ a
    /// little at edges.
    private static let minWholeShare = 0.97

    /// Returns the share of an object's drawing that nothing covers or cuts off, 0...1; 0 for an
    /// object that draws nothing, and nil if the loader does not know its drawing. What lies below
    /// a translucent layer counts as covered.
    package func share(ofObject name: String) -> Double? { ink(ofObject: name)?.visibleShare }

    /// Returns true if an object draws nothing on the canvas.
    package func isEmpty(_ name: String) -> Bool { ink(ofObject: name)?.isEmpty ?? false }

    /// Returns true if an object looks the same when it is drawn again above all others: it is
    /// opaque, and nothing covers or cuts it.
    package func isOnTop(_ name: String) -> Bool {
        ink(ofObject: name).map { $0.isOpaque && $0.visibleShare >= Self.minWholeShare } ?? true
    }

    private func ink(ofObject name: String) -> ObjectInk? {
        guard let nodes = loader.drawing(ofObject: name, at: time), let whole,
            let own = CanvasBitmap(nodes, canvas: loader.canvas)
        else { return nil }
        return ObjectInk(own, among: whole, in: Rect(size: loader.canvas))
    }
}
