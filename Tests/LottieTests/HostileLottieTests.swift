import CLibZip
import Foundation
import TestSupport
import Testing

@testable import Lottie

/// Lottie files may be untrusted. Any file is either drawn or refused with an error, within limits
/// of time and memory.
@Suite(.serialized) struct HostileLottieTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let fuzzCount = environment["LOADERVID_FUZZ"].flatMap { Int($0) }

    /// The maximum CPU time for reading a file, and for drawing a frame, in seconds.
    private static let maxSeconds = 1.0
    private static let maxMemory = 500 << 20

    @Test func mutatedFilesAreDrawnOrRefused() throws {
        try run(count: some(of: Array(0..<150), each: 2).count, seed: 7, side: 128)
    }

    /// Tests many more files, for scripts/fuzz-lottie.
    @Test(.enabled(if: fuzzCount != nil)) func fuzz() throws {
        let seed = Self.environment["LOADERVID_FUZZ_SEED"].flatMap { Int($0) } ?? 1
        let folders = (Self.environment["LOADERVID_FUZZ_FOLDERS"] ?? "").split(separator: ":").map(String.init)
        try run(count: Self.fuzzCount ?? 0, seed: seed, side: 256, folders: folders)
    }

    @Test(arguments: quickSample(of: LottieBomb.all, each: 8)) func bombsAreDrawnOrRefused(_ bomb: LottieBomb) throws {
        let directory = try TemporaryDirectory()
        CrashNote.set("the bomb '\(bomb.name)' crashed the process")
        CrashNote.watch(for: 120)
        defer { CrashNote.end() }
        let file = try Self.measured(bomb.bytes(), isArchive: bomb.isArchive, side: 512, in: directory)
        if Self.environment["LOADERVID_BOMBS"] != nil {
            print(
                "bomb \(bomb.name): \(file.fate), \(Int(file.reading * 1000)) + \(Int(file.drawing * 1000)) ms, \(file.memory >> 20) MB \(file.refusal.prefix(200))"
            )
        }
        check(file, "the bomb '\(bomb.name)'")
        if let isDrawn = bomb.isDrawn { #expect((file.fate == .drawn) == isDrawn, "\(bomb.name): \(file.refusal)") }
    }

    @Test func filesOutsideTheDirectoryAreNotRead() throws {
        let outside = try TemporaryDirectory()
        let directory = try TemporaryDirectory()
        let image = try #require(Data(base64Encoded: LottieSeeds.image))
        for path in [outside.file("secret.png"), directory.file("p.png")] {
            try image.write(to: URL(fileURLWithPath: path))
        }
        let links = [("out.png", outside.file("secret.png")), ("in.png", "p.png"), ("folder", outside.path)]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(atPath: directory.file(name), withDestinationPath: target)
        }
        try #require(mkfifo(directory.file("pipe.png"), 0o600) == 0)
        let parent = "../" + (outside.path.split(separator: "/").last ?? "") + "/secret.png"
        let expected = [
            ("p.png", true), ("in.png", true), ("./p.png", true), ("out.png", false), ("folder/secret.png", false),
            (parent, false), (outside.file("secret.png"), false), ("pipe.png", false), ("/dev/zero", false),
            ("file://" + outside.file("secret.png"), false), ("http://127.0.0.1/secret.png", false), ("", false),
            // Only the name is looked for in the directory.
            ("../elsewhere/p.png", true), ("/p.png", true),
        ]
        for (path, isRead) in expected {
            let text = LottieSeeds.file(
                #"{"ty":2,"refId":"i","ip":0,"op":60,"ks":{}}"#,
                #","assets":[{"id":"i","w":9,"h":9,"u":"","p":"\#(path)"}]"#)
            CrashNote.set("the image '\(path)' crashed the process")
            CrashNote.watch(for: 60)
            defer { CrashNote.end() }
            let file = try HostileFile(Array(text.utf8), side: 16, in: directory)
            #expect((file.fate == .drawn) == isRead && file.problems.isEmpty, "\(path): \(file.refusal)")
        }
    }

    /// Reads and draws a file, and again if that took too long: other processes that share the
    /// processor's caches may double the CPU time.
    private static func measured(
        _ bytes: [UInt8], isArchive: Bool, side: Int, in directory: TemporaryDirectory
    ) throws -> HostileFile {
        let file = try HostileFile(bytes, isArchive: isArchive, side: side, in: directory)
        guard max(file.reading, file.drawing) > maxSeconds else { return file }
        // Another path, as files are cached.
        return try HostileFile(bytes, isArchive: isArchive, side: side, in: TemporaryDirectory())
    }

    private func check(_ file: HostileFile, _ label: String, _ bytes: [UInt8] = []) {
        var problems = file.problems
        if file.reading > Self.maxSeconds { problems.append("read in \(file.reading) s") }
        if file.drawing > Self.maxSeconds { problems.append("drawn in \(file.drawing) s") }
        if file.memory > Self.maxMemory { problems.append("took \(file.memory >> 20) MB") }
        guard !problems.isEmpty else { return }
        Issue.record("\(label): \(problems)\n\(String(decoding: bytes.prefix(4000), as: UTF8.self))")
    }

    private func run(count: Int, seed: Int, side: Int, folders: [String] = []) throws {
        let directory = try TemporaryDirectory()
        let seeds = LottieSeeds.all + (try folders.flatMap(LottieSeeds.read))
        var drawn = 0
        var refused = 0
        var maxReading = 0.0
        var maxDrawing = 0.0
        var maxMemory = 0
        defer { CrashNote.end() }
        for seed in seed..<seed + count {
            CrashNote.set("the file of seed \(seed) crashed the process")
            CrashNote.watch(for: 60)
            var mutator = LottieMutator(seeds: seeds, seed: seed)
            var bytes = mutator.next()
            let isArchive = seed % 16 == 0
            if isArchive {
                bytes = try LottieArchive.bytes(of: bytes, in: directory)
                if seed % 32 == 0 { mutator.damage(&bytes) }
            }
            let file = try Self.measured(bytes, isArchive: isArchive, side: side, in: directory)
            if file.fate == .drawn { drawn += 1 } else { refused += 1 }
            maxReading = max(maxReading, file.reading)
            maxDrawing = max(maxDrawing, file.drawing)
            maxMemory = max(maxMemory, file.memory)
            check(file, "the file of seed \(seed)", bytes)
        }
        if count > 50 { #expect(drawn > 0 && refused > 0) }
        print(
            "fuzz: \(count) files, \(drawn) drawn, \(refused) refused; at most \(Int(maxReading * 1000)) ms to read, "
                + "\(Int(maxDrawing * 1000)) ms per frame, \(maxMemory >> 20) MB")
    }
}

/// Creates dotLottie archives.
enum LottieArchive {
    static func bytes(of animation: [UInt8], in directory: TemporaryDirectory) throws -> [UInt8] {
        let manifest = Array(#"{"version":"1","animations":[{"id":"a"}]}"#.utf8)
        return try bytes([("manifest.json", manifest), ("animations/a.json", animation)], in: directory)
    }

    /// Returns a compressed archive of files.
    static func bytes(_ files: [(name: String, bytes: [UInt8])], in directory: TemporaryDirectory) throws -> [UInt8] {
        let path = directory.file("archive.zip")
        unlink(path)
        var code: Int32 = 0
        let archive = try #require(zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code))
        // libzip reads the bytes when it closes the archive.
        let copies = files.map { file in
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, file.bytes.count))
            copy.update(from: file.bytes, count: file.bytes.count)
            return copy
        }
        defer { for copy in copies { copy.deallocate() } }
        for (file, copy) in zip(files, copies) {
            let source = try #require(zip_source_buffer(archive, copy, zip_uint64_t(file.bytes.count), 0))
            try #require(zip_file_add(archive, file.name, source, zip_flags_t(ZIP_FL_OVERWRITE)) >= 0)
        }
        try #require(zip_close(archive) == 0)
        return try TestSupport.bytes(of: path)
    }
}
