/// Objects with one motion, each later than the one before.
package struct MotionGroup: Sendable {
    /// The indices of the objects in the order of their delays.
    package let members: [Int]
    /// The delay between neighbours in seconds; nil if it varies.
    package let stagger: Double?
}
