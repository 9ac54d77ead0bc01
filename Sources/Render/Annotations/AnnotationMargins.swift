import Animations
import Core

/// The space that annotations need around the canvas.
extension Annotator {
    /// Returns the total width and height of the margins that names and arrows need in a panel, in
    /// points.
    ///
    /// - Parameters:
    ///   - namesObjects: true to reserve room for the names of objects.
    ///   - language: the language of names.
    package static func reserve(
        _ survey: LoaderSurvey, kinds: Set<AnnotationKind>, namesObjects: Bool, language: Language
    ) -> Size {
        AnnotationLayout.reserve(
            for: content(
                survey, kinds: kinds, namesObjects: namesObjects, used: survey.reached, language: language))
    }

    /// Returns the total width and height of a panel's margins.
    package static func margins(
        _ survey: LoaderSurvey, kinds: Set<AnnotationKind>, namesObjects: Bool, hasCallouts: Bool, in panel: Size,
        language: Language
    ) -> Size {
        var needs = content(
            survey, kinds: kinds, namesObjects: namesObjects, used: survey.reached, language: language)
        needs.addCallouts(hasCallouts)
        return AnnotationLayout.maxMargins(for: needs, in: panel)
    }
}
