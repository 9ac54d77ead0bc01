import Annotations
import Documents
import Foundation
import Loaders
import Motion
import Pipeline
import Raster
import Scene
import TestSupport
import Testing

@testable import Tutorials

/// The folder of the tutorials that come with the program.
let shippedTutorials = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("presets/tutorials").path

/// Scripts in a directory of their own.
struct ScriptDirectory {
    let directory: TemporaryDirectory

    init(_ files: [String: String]) throws {
        directory = try TemporaryDirectory()
        for (name, text) in files { try makeFile(text, at: directory.file(name)) }
    }

    func script(_ name: String = "s.yaml") throws -> TutorialScript { try TutorialScript(file: directory.file(name)) }

    /// All problems of a script in lines, without the directory, read or laid out.
    func problems(_ request: LessonRequest = LessonRequest()) throws -> [String] {
        do {
            _ = try Lesson(script(), request)
            return []
        } catch let error as DocumentError {
            return error.problems.map { "\($0)".replacingOccurrences(of: directory.path + "/", with: "") }
        }
    }
}

/// A lesson from a text.
func lesson(_ text: String, _ request: LessonRequest = LessonRequest()) throws -> Lesson {
    try Lesson(ScriptDirectory(["s.yaml": text]).script(), request)
}

/// A language and a shape.
struct Look: Sendable, CustomTestStringConvertible {
    var language: Language
    var shape: PictureShape

    var testDescription: String { "\(language.rawValue) \(shape.text)" }

    static let all = Language.allCases.flatMap { language in
        [PictureShape.wide, .square, .vertical].map { Look(language: language, shape: $0) }
    }

    func request(fps: FrameRate = FrameRate(30)) -> LessonRequest {
        var request = LessonRequest()
        (request.language, request.shape, request.frameRate) = (language, shape, fps)
        return request
    }
}

extension FrameRate {
    init(_ rate: Int) { self.init(text: "\(rate)")! }
}

/// A first script for every loader, and those that are shipped.
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
