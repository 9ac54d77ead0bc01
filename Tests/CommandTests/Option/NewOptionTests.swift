import ArgumentParser
import Batch
import Core
import Explain
import Foundation
import TestSupport
import Testing

@testable import LoaderVideoCommand
@testable import Render

/// An option for these tests only.
private let mood: ClipOption = {
    var option = ClipOption(
        "mood", .slowMotion, .word(["calm", "lively"]), defaultValue: "lively", "How hurried it looks."
    ) { text, request in
        if text == "calm" {
            request.slowmo = 3
            request.motionBlur = Rational(1, 2)
        }
        return ["calm", "lively"].contains(text)
    } format: {
        $0.slowmo == 3 && $0.motionBlur == Rational(1, 2) ? "calm" : nil
    }
    option.excludes = ["ramp"]
    return option
}()

/// One entry in the registry makes an option known everywhere.
@Suite struct NewOptionTests {
    private func withMood<Result>(_ body: () throws -> Result) rethrows -> Result {
        try OptionRegistry.$current.withValue(.standard.adding(mood), operation: body)
    }

    private func request(_ arguments: String...) throws -> RenderRequest {
        let command = try EncodeCommand.parse(["qq-mail"] + arguments + ["-o", "a.mp4"])
        return try command.options.request(command.loader, format: .container(.mp4))
    }

    private func refusal(_ arguments: String...) throws -> String {
        let error = try #require(throws: (any Error).self) {
            try EncodeCommand.parse(["qq-mail"] + arguments + ["-o", "a.mp4"])
        }
        return EncodeCommand.message(for: error)
    }

    @Test func theCommandLineAcceptsIt() throws {
        let plain = try RenderPlan(request())
        try withMood {
            let plan = try RenderPlan(request("--mood", "calm"))
            #expect((plain.frameCount, plan.frameCount) == (86, 259))
            #expect((plan.source as? LoaderClip)?.shutter == Rational(1, 2))
            #expect(try RenderPlan(request("--mood", "lively")).frameCount == 86)
            #expect(
                try refusal("--mood", "sad")
                    == "The value 'sad' is invalid for '--mood <calm|lively>': give calm or lively")
            #expect(
                try refusal("--mood", "calm", "--ramp", "2")
                    == "--ramp and --mood cannot be combined; use one of them")
        }
        #expect(try refusal("--mood", "calm").contains("Unknown option '--mood'"))
    }

    @Test func itsHelpIsShown() {
        let help = withMood { (EncodeCommand.helpMessage(columns: 120), BenchCommand.helpMessage(columns: 120)) }
        for text in [help.0, help.1] {
            #expect(text.contains("--mood <calm|lively>    How hurried it looks. (default: lively)\n"))
        }
        #expect(!EncodeCommand.helpMessage().contains("--mood"))
    }

    @Test func presetsAcceptIt() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("p.yaml")
        try makeFile(
            "defaults: {ramp: 2}\nclips:\n  - loader: qq-mail\n    matrix: {mood: [calm, lively]}\n"
                + "  - {loader: qq-mail, mood: calm, name: '{mood}'}\n", at: path)
        let clips = try withMood { try PresetReader().read([path]) }
        #expect(clips.map(\.name) == ["p/qq-mail-moodcalm", "p/qq-mail-moodlively", "calm"])
        #expect(clips.map { $0.outputs[0].plan.frameCount } == [259, 86, 259])
        // It replaces the ramp of the defaults, which it excludes.
        #expect(clips.allSatisfy { $0.outputs[0].request.ramp == 1 })
        #expect(throws: DocumentError.self) { try PresetReader().read([path]) }
        try makeFile("clips:\n  - loader: qq\n    mood: sad\n  - {loader: qq, mood: calm, ramp: 2}\n", at: path)
        let error = try #require(throws: DocumentError.self) { try withMood { try PresetReader().read([path]) } }
        #expect(
            error.description.replacingOccurrences(of: path, with: "") == """
                :3:11: 'mood' is invalid: 'sad'; give calm or lively
                :4:30: 'ramp' and 'mood' cannot be combined; use one of them
                """)
    }

    @Test func theSchemaHasIt() throws {
        let schema = try withMood { try JSONEncoder().encode(PresetSchema.schema) }
        let object = try #require(JSONSerialization.jsonObject(with: schema) as? [String: Any])
        let definitions = try #require(object["definitions"] as? [String: [String: Any]])
        #expect(definitions["mood"]?["description"] as? String == "How hurried it looks. Default: lively.")
        let clip = try #require(definitions["clip"]?["properties"] as? [String: [String: Any]])
        #expect(clip["mood"] != nil)
        #expect((clip["matrix"]?["properties"] as? [String: Any])?["mood"] != nil)
    }

    @Test func recipesHaveIt() throws {
        let toolchain = Toolchain(versions: [:])
        func recipe(_ request: RenderRequest) throws -> Recipe {
            try Recipe(request, toolchain: toolchain, fonts: "")
        }
        let plain = try recipe(request())
        #expect(plain.request == ["loader": "qq-mail", "format": "mp4"])
        try withMood {
            let calm = try recipe(request("--mood", "calm"))
            #expect(calm.request["mood"] == "calm")
            #expect(try calm.fingerprint() != plain.fingerprint())
            // Outputs from before the option was added stay up to date.
            #expect(try recipe(request()).fingerprint() == plain.fingerprint())
        }
    }

    @Test func theReferenceListsIt() {
        withMood {
            let row = "| `--mood calm\\|lively` | How hurried it looks | lively |"
            #expect(OptionReference.commandLineRows(.slowMotion).contains(row))
            #expect(OptionReference.presetRows().contains("| `mood` | calm or lively | lively | `ramp` |"))
        }
    }
}
