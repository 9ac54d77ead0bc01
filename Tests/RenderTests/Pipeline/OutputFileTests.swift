import CSystem
import Foundation
import Media
import Render
import TestSupport
import Testing

extension OutputFile {
    fileprivate func write(_ text: String) throws { try Array(text.utf8).withUnsafeBytes { try write($0) } }
}

@Suite struct OutputFileTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("clip.mp4") }

    init() throws { directory = try TemporaryDirectory() }

    private func content(of path: String) throws -> String { String(decoding: try bytes(of: path), as: UTF8.self) }

    /// The error from creating a file.
    private func refusal(_ path: String, overwrites: Bool = true) throws -> LoadervidError {
        try #require(throws: LoadervidError.self) { try OutputFile(path: path, overwrites: overwrites) }
    }

    @Test func filesAppearOnlyWithTheCommit() throws {
        let file = try OutputFile(path: path, overwrites: false)
        try file.write("hello")
        #expect(try directory.names() == [URL(fileURLWithPath: file.temporaryPath).lastPathComponent])
        #expect(file.temporaryPath.hasSuffix(".part"))
        try file.seek(to: 0)
        try file.write("J")
        #expect(try file.commit() == 5)
        #expect(try directory.names() == ["clip.mp4"])
        #expect(try content(of: path) == "Jello")
    }

    @Test func releasedFilesLeaveNothing() throws {
        do {
            let file = try OutputFile(path: path, overwrites: false)
            try file.write("hello")
        }
        #expect(try directory.names().isEmpty)
    }

    @Test func existingFilesStayUnlessOverwritten() throws {
        try makeFile("old", at: path)
        let error = try refusal(path, overwrites: false)
        #expect(error.kind == .cannotCreate)
        // The front end chooses the wording of the hint.
        let message = "clip.mp4 already exists; \(Hint.overwriting)"
        #expect(error.hint == .overwriting && error.description.hasSuffix(message))
        Hint.$words.withValue([.overwriting: "tick Overwrite"]) {
            #expect(error.description.hasSuffix("already exists; tick Overwrite"))
        }
        #expect(try directory.names() == ["clip.mp4"])
        do {
            let file = try OutputFile(path: path, overwrites: true)
            try file.write("half")
            #expect(try content(of: path) == "old")
        }
        #expect(try content(of: path) == "old")
        let file = try OutputFile(path: path, overwrites: true)
        try file.write("new")
        _ = try file.commit()
        #expect(try content(of: path) == "new")
        #expect(try directory.names() == ["clip.mp4"])
    }

    @Test func filesCreatedDuringTheWorkAreNotReplaced() throws {
        do {
            let file = try OutputFile(path: path, overwrites: false)
            try file.write("ours")
            try makeFile("theirs", at: path)
            let error = try #require(throws: LoadervidError.self) { try file.commit() }
            #expect(error.kind == .cannotCreate)
        }
        #expect(try content(of: path) == "theirs")
        #expect(try directory.names() == ["clip.mp4"])
    }

    @Test func ofTwoWritersTheFirstToFinishWins() throws {
        let first = try OutputFile(path: path, overwrites: false)
        let second = try OutputFile(path: path, overwrites: false)
        try first.write("first")
        try second.write("second")
        _ = try second.commit()
        #expect(throws: LoadervidError.self) { try first.commit() }
        #expect(try content(of: path) == "second")
    }

    /// Long names that differ only at the end have different temporaries, within the file system's
    /// limit on names.
    @Test func longNamesHaveDifferentTemporaries() throws {
        for stem in [String(repeating: "long-name-", count: 20), String(repeating: "动画", count: 40)] {
            let names = ["\(stem)-1.mp4", "\(stem)-2.mp4"]
            let files = try names.map { try OutputFile(path: directory.file($0), overwrites: false) }
            #expect(files[0].temporaryPath != files[1].temporaryPath)
            for (file, name) in zip(files, names) {
                try file.write(name)
                _ = try file.commit()
                #expect(try content(of: directory.file(name)) == name)
            }
        }
    }

    /// The temporary of a killed process does not prevent another one, even with the same process
    /// ID.
    @Test func leftoverTemporariesDoNotInterfere() throws {
        let leftover = try OutputFile(path: path, overwrites: false)
        let next = try OutputFile(path: path, overwrites: false)
        #expect(leftover.temporaryPath != next.temporaryPath)
    }

    @Test func linksStayAndTheirTargetsAreReplaced() throws {
        let (link, target) = (directory.file("link.mp4"), directory.file("target.mp4"))
        try makeFile("old", at: target)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(try refusal(link, overwrites: false).kind == .cannotCreate)
        let file = try OutputFile(path: link, overwrites: true)
        try file.write("new")
        _ = try file.commit()
        #expect(try content(of: target) == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(try directory.names() == ["link.mp4", "target.mp4"])
    }

    /// Broken links are refused at the start, not after an hour of rendering.
    @Test(arguments: [false, true])
    func brokenLinksAreRefused(overwrites: Bool) throws {
        let link = directory.file("link.mp4")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.file("nothing"))
        #expect(try refusal(link, overwrites: overwrites).kind == .cannotCreate)
        #expect(try directory.names() == ["link.mp4"])
    }

    @Test func onlyOrdinaryFilesAreAccepted() throws {
        let missing = directory.file("missing/clip.mp4")
        for path in [directory.path, "/dev/null", "/dev/full", missing, directory.path + "/", "", "/proc/clip.mp4"] {
            let error = try refusal(path)
            #expect(error.kind == .cannotCreate, "\(path)")
            #expect(!error.description.contains("\n"))
        }
        #expect(try refusal(missing).description.contains("create it first"))
        #expect(try directory.names().isEmpty)
    }

    /// New files follow the umask, like those of other programs.
    @Test func modesFollowTheUmask() throws {
        let file = try OutputFile(path: path, overwrites: false)
        _ = try file.commit()
        try makeFile("other", at: directory.file("other"))
        let modes = try ["clip.mp4", "other"].map {
            try FileManager.default.attributesOfItem(atPath: directory.file($0))[.posixPermissions] as? Int
        }
        #expect(modes[0] == modes[1])
    }

    private func status(_ path: String) throws -> stat {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status
    }

    /// A replacement has the mode of the replaced file. Until then only its owner has access.
    @Test(arguments: [0o600, 0o640, 0o444, 0o200, 0o666, 0o777, 0o4755])
    func modesAreKept(mode: Int) throws {
        try makeFile("old", at: path)
        try #require(chmod(path, mode_t(mode)) == 0)
        let file = try OutputFile(path: path, overwrites: true)
        #expect(try status(file.temporaryPath).st_mode & 0o7777 == 0o600)
        try file.write("new")
        _ = try file.commit()
        // The set-user-ID bit is not inherited.
        #expect(try status(path).st_mode & 0o7777 == mode_t(mode & 0o777))
        #expect(try status(path).st_size == 3)
    }

    @Test(.enabled(if: getuid() == 0)) func ownersAreKept() throws {
        try makeFile("old", at: path)
        try #require(chown(path, 65534, 65533) == 0 && chmod(path, 0o640) == 0)
        let file = try OutputFile(path: path, overwrites: true)
        _ = try file.commit()
        let status = try status(path)
        #expect(status.st_uid == 65534 && status.st_gid == 65533 && status.st_mode & 0o777 == 0o640)
    }

    /// A replacement has the access control list of the replaced file, and a directory's default
    /// list does not widen it.
    @Test func accessListsAreKept() throws {
        // Version 2: the owner may read and write, user 65534 may read, the group nothing, the mask
        // allows reading, others nothing.
        let entries: [(UInt16, UInt16, UInt32)] = [
            (1, 6, .max), (2, 4, 65534), (4, 0, .max), (16, 4, .max), (32, 0, .max),
        ]
        var list: [UInt8] = [2, 0, 0, 0]
        for (tag, rights, user) in entries {
            list += [UInt8(tag), 0, UInt8(rights), 0] + (0..<4).map { UInt8(truncatingIfNeeded: user >> (8 * $0)) }
        }
        func given(_ path: String) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = lv_read_acl(AT_FDCWD, path, &bytes, 256)
            return Array(bytes.prefix(max(0, count)))
        }
        try makeFile("old", at: path)
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        // Not every file system supports access control lists.
        guard lv_write_acl(descriptor, list, list.count) else { return }
        try #require(given(path) == list)
        let file = try OutputFile(path: path, overwrites: true)
        _ = try file.commit()
        #expect(given(path) == list)
        try #require(lv_write_acl(open(path, O_RDONLY), nil, 0) && chmod(path, 0o600) == 0)
        _ = try OutputFile(path: path, overwrites: true).commit()
        #expect(given(path).isEmpty)
        #expect(try status(path).st_mode & 0o777 == 0o600)
    }
}
