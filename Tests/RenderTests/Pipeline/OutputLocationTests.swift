import Core
import Foundation
import Media
import Render
import TestSupport
import Testing

/// Outputs whose directory another process changes, and outputs that name a file in use.
@Suite struct OutputLocationTests {
    private let directory: TemporaryDirectory
    private let manager = FileManager.default

    init() throws {
        directory = try TemporaryDirectory()
        for name in ["out", "victim"] {
            try manager.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
        }
        try makeFile("precious", at: directory.file("victim/clip.vtt"))
    }

    private func content(_ name: String) throws -> String {
        String(decoding: try bytes(of: directory.file(name)), as: UTF8.self)
    }

    private func names(_ name: String) throws -> [String] {
        try manager.contentsOfDirectory(atPath: directory.file(name)).sorted()
    }

    private func link(_ name: String, to target: String) throws {
        try manager.createSymbolicLink(
            atPath: directory.file(name), withDestinationPath: directory.file(target))
    }

    /// Replaces the directory with a link to the victim.
    private func swapDirectory() throws {
        try manager.moveItem(atPath: directory.file("out"), toPath: directory.file("real"))
        try link("out", to: "victim")
    }

    @Test(arguments: [false, true]) func filesGoToTheDirectoryThatWasOpened(overwrites: Bool) throws {
        let file = try OutputFile(path: directory.file("out/clip.mp4"), overwrites: overwrites)
        try file.addSidecar(ending: "vtt", Array("captions".utf8))
        try swapDirectory()
        try file.addSidecar(ending: "png", Array("poster".utf8))
        _ = try file.commit(Array("clip".utf8))
        #expect(try names("real") == ["clip.mp4", "clip.png", "clip.vtt"])
        #expect(try content("real/clip.vtt") == "captions")
        #expect(try names("victim") == ["clip.vtt"])
        #expect(try content("victim/clip.vtt") == "precious")
    }

    /// The MP4 muxer rereads its file to move the index to the front. It must reread the open file,
    /// not the path.
    @Test(arguments: [Container.mp4, .mov, .m4v]) func clipsHoldOnlyWhatWasEncoded(container: Container) throws {
        let plan = try RenderPlan(request("qq-mail", container, fps: "10"))
        try render(plan, to: directory.file("undisturbed"))
        try makeFile(String(repeating: "secret", count: 100_000), at: directory.file("victim/file"))
        let file = try OutputFile(path: directory.file("out/clip"), overwrites: false)
        let temporary = URL(fileURLWithPath: file.temporaryPath).lastPathComponent
        try manager.moveItem(atPath: directory.file("out"), toPath: directory.file("real"))
        try manager.createDirectory(atPath: directory.file("out"), withIntermediateDirectories: true)
        try link("out/\(temporary)", to: "victim/file")
        _ = try RenderPipeline([plan], jobs: 2, memory: plentyOfMemory).run(to: .file(file))
        #expect(try bytes(of: directory.file("real/clip")) == bytes(of: directory.file("undisturbed")))
        #expect(try names("real") == ["clip"] && names("out") == [temporary])
    }

    @Test func temporariesAreRemovedFromTheDirectoryThatWasOpened() throws {
        do {
            let file = try OutputFile(path: directory.file("out/clip.mp4"), overwrites: false)
            try file.addSidecar(ending: "vtt", [1])
            try withExtendedLifetime(file) {
                #expect(try names("out").count == 2)
                try swapDirectory()
            }
        }
        #expect(try names("real").isEmpty)
    }

    @Test(arguments: [false, true]) func sidecarsAreNotWrittenThroughLinks(overwrites: Bool) throws {
        try link("out/clip.vtt", to: "victim/clip.vtt")
        let file = try OutputFile(path: directory.file("out/clip.mp4"), overwrites: overwrites)
        let error = try #require(throws: LoadervidError.self) { try file.addSidecar(ending: "vtt", [1]) }
        #expect(error.kind == .cannotCreate && error.description.contains("out/clip.vtt is a link"))
        #expect(try content("victim/clip.vtt") == "precious")
    }

    /// If a link appears while the clip renders, the output does not take the name, and the
    /// sidecars' names are undone.
    @Test func linksCreatedDuringTheWorkAreNotFollowed() throws {
        try makeFile("old", at: directory.file("out/clip.png"))
        do {
            let file = try OutputFile(path: directory.file("out/clip.mp4"), overwrites: true)
            try file.addSidecar(ending: "png", Array("poster".utf8))
            try file.addSidecar(ending: "vtt", Array("captions".utf8))
            try link("out/clip.vtt", to: "victim/clip.vtt")
            let error = try #require(throws: LoadervidError.self) { try file.commit(Array("clip".utf8)) }
            #expect(error.kind == .cannotCreate, "\(error)")
        }
        #expect(try names("out") == ["clip.png", "clip.vtt"])
        #expect(try content("out/clip.png") == "old" && content("victim/clip.vtt") == "precious")
    }

    @Test func sidecarsAreReplacedIndependently() throws {
        try makeFile("mine", at: directory.file("out/clip.vtt"))
        let file = try OutputFile(path: directory.file("out/clip.mp4"), overwrites: true)
        let error = try #require(throws: LoadervidError.self) {
            try file.addSidecar(ending: "vtt", [1], overwrites: false)
        }
        #expect(error.kind == .cannotCreate && error.hint == .overwriting)
        try file.addSidecar(ending: "vtt", Array("new".utf8), overwrites: true)
        _ = try file.commit([1])
        #expect(try content("out/clip.vtt") == "new")
    }

    // MARK: Files in use

    @Test(arguments: ["out/in.png", "out/../out/in.png", "hard.png", "link.png"])
    func outputsNeverReplaceInputs(name: String) throws {
        try makeFile("input", at: directory.file("out/in.png"))
        try manager.linkItem(atPath: directory.file("out/in.png"), toPath: directory.file("hard.png"))
        try link("link.png", to: "out/in.png")
        let path = directory.file(name)
        for isLate in [false, true] {
            // The input is read before the output begins, or while it is written.
            try FilesInUse.$current.withValue(FilesInUse()) {
                if !isLate { FilesInUse.noteInputs([directory.file("out/in.png")]) }
                let error = try #require(throws: LoadervidError.self) {
                    let file = try OutputFile(path: path, overwrites: true)
                    FilesInUse.noteInputs([directory.file("out/in.png")])
                    try file.commit([1])
                }
                #expect(error.kind == .usage && error.description.contains("read"), "\(error)")
            }
        }
        #expect(try content("out/in.png") == "input")
        // An input of one task does not affect another task.
        try OutputFile(path: path, overwrites: true).commit(Array("new".utf8))
        #expect(try content(name) == "new")
    }

    @Test(arguments: ["clip.mp4", "../out/clip.mp4", "other.mp4", "clip.vtt"])
    func outputsNeverReplaceOtherOutputs(name: String) throws {
        try makeFile("", at: directory.file("out/clip.mp4"))
        try link("out/other.mp4", to: "out/clip.mp4")
        try FilesInUse.$current.withValue(FilesInUse()) {
            do {
                let file = try OutputFile(path: directory.file("out/clip.mp4"), overwrites: true)
                try file.addSidecar(ending: "vtt", [1])
                try withExtendedLifetime(file) {
                    let error = try #require(throws: LoadervidError.self) {
                        try OutputFile(path: directory.file("out/\(name)"), overwrites: true)
                    }
                    #expect(error.kind == .usage, "\(error)")
                }
            }
            // The name is free once the other output is released.
            try OutputFile(path: directory.file("out/\(name)"), overwrites: true).commit([1])
        }
    }

    @Test func onlyRecognisedFilesAreReplaced() throws {
        let path = directory.file("out/report")
        let earlier = EarlierOutput(what: "report") { $0.starts(with: "mark".utf8) }
        for (old, isReplaced) in [("marked", true), ("", false), ("unmarked", false)] {
            try makeFile(old, at: path)
            func write() throws { try OutputFile(path: path, replacing: .earlier(earlier)).commit(Array("new".utf8)) }
            if isReplaced { try write() } else { #expect(throws: LoadervidError.self) { try write() } }
            #expect(try content("out/report") == (isReplaced ? "new" : old))
        }
        // The check at the end does not rely on the file's contents at the start.
        try makeFile("marked", at: path)
        let file = try OutputFile(path: path, replacing: .earlier(earlier))
        try makeFile("mine", at: path)
        #expect(throws: LoadervidError.self) { try file.commit([1]) }
        #expect(try content("out/report") == "mine")
    }
}
