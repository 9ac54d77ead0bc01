import Render

extension TutorialScript {
    /// Lays out the lesson in every language and shape, and returns the problems of all of them.
    ///
    /// - Parameter body: called with each lesson that has no problem, and its request.
    package func problems(
        _ body: (Lesson, LessonRequest) -> Void = { _, _ in }
    ) throws -> [DocumentProblem] {
        var problems: [DocumentProblem] = []
        for language in languages {
            for shape in [FrameShape.wide, .square, .vertical] {
                var request = LessonRequest()
                request.language = language
                request.shape = shape
                do { body(try Lesson(self, request), request) } catch let error as DocumentError {
                    problems += error.problems
                }
            }
        }
        return problems
    }
}
