import Animations
import Core
import Foundation
import Raster
import Render
import TestSupport
import Testing

@testable import Explain

/// The directory of the shipped tutorials.
let shippedTutorials = "\(sourceTree)/presets/tutorials"

/// Scripts in a temporary directory.
struct ScriptDirectory {
    let directory: TemporaryDirectory

    init(_ files: [String: String]) throws {
        directory = try TemporaryDirectory()
        for (name, text) in files {
            let folder = URL(fileURLWithPath: directory.file(name)).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try makeFile(text, at: directory.file(name))
        }
    }

    func script(_ name: String = "s.yaml") throws -> TutorialScript { try TutorialScript(file: directory.file(name)) }

    /// Returns the messages of all problems in reading and laying out a script, without the
    /// directory.
    func problems(_ request: LessonRequest = LessonRequest()) throws -> [String] {
        do {
            _ = try Lesson(script(), request)
            return []
        } catch let error as DocumentError {
            return error.problems.map { "\($0)".replacingOccurrences(of: directory.path + "/", with: "") }
        }
    }
}

/// Lays out a lesson from the text of a script.
func lesson(_ text: String, _ request: LessonRequest = LessonRequest()) throws -> Lesson {
    try Lesson(ScriptDirectory(["s.yaml": text]).script(), request)
}

/// A language and shape of a lesson.
struct Look: Sendable, CustomTestStringConvertible {
    var language: Language
    var shape: FrameShape

    var testDescription: String { "\(language.rawValue) \(shape.text)" }

    static let all = Language.allCases.flatMap { language in
        [FrameShape.wide, .square, .vertical].map { Look(language: language, shape: $0) }
    }

    func request(fps: FrameRate = FrameRate(30)) -> LessonRequest {
        var request = LessonRequest()
        request.language = language
        request.shape = shape
        request.frameRate = fps
        return request
    }
}

extension FrameRate {
    init(_ rate: Int) { self.init(text: "\(rate)")! }
}

/// The generated scripts of every loader, and the shipped scripts.
let allScripts: [(name: String, text: String, folder: String?)] = {
    let first = LoaderCatalog.builtIn.definitions.compactMap { definition in
        (try? FirstScript(definition).text).map { (definition.id, $0, String?.none) }
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: shippedTutorials)) ?? []
    let shipped = names.filter { $0.hasSuffix(".yaml") }.sorted().map { ($0, "", String?.some(shippedTutorials)) }
    return first + shipped
}()

func lesson(_ script: (name: String, text: String, folder: String?), _ request: LessonRequest) throws -> Lesson {
    guard let folder = script.folder else { return try lesson(script.text, request) }
    return try Lesson(TutorialScript(file: folder + "/" + script.name), request)
}
