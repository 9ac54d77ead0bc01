/// A caption and the frames that show it.
package struct LessonCue: Sendable, Hashable {
    /// The text, of one or two lines.
    package let text: String
    package let frames: Range<Int>
}
