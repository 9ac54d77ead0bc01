import CSystem
import Dispatch
import Glibc
import Pipeline
import Synchronization

/// What the program asks of the machine it runs on.
enum Machine {
    /// Processors that this process may use: those it is bound to, or what the control group's quota is worth if that is
    /// less, such as a container's `--cpus`.
    static var cores: Int {
        let bound = Int(lv_bound_processors())
        let processors = bound > 0 ? bound : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        return max(1, min(processors, ControlGroup().processors ?? processors))
    }

    /// Memory in bytes: the machine's, or what the control group allows if that is less.
    static var memory: Int {
        let physical = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return min(physical, ControlGroup().memory ?? physical)
    }

    /// Makes fresh memory the same in every run if one of these plans needs that for equal bytes: libx265 reads what
    /// nobody wrote. Other encoders would only lose time by it.
    static func settleMemory(for plans: [RenderPlan]) {
        if plans.contains(where: { $0.encoder.encoder == "libx265" }) { mallopt(M_PERTURB, 0x55) }
    }

    /// Whether standard output was there when the program began. Written once, before anything else runs.
    nonisolated(unsafe) private static var hasStandardOutput = true

    /// Opens what is missing of descriptors 0, 1 and 2, so that no file of ours gets such a number and, with it, lines
    /// that are meant for the user. To be called first of all.
    static func reserveStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            if descriptor == STDOUT_FILENO { hasStandardOutput = false }
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Standard output for a video or a picture. Throws if it is closed or a terminal.
    static func standardOutput(cancellation: CancellationToken = CancellationToken()) throws -> StandardOutput {
        guard hasStandardOutput else {
            throw RenderError(
                .cannotCreate, "standard output is closed: redirect it to a file or a pipe, or name a file with -o")
        }
        guard isatty(STDOUT_FILENO) == 0 else {
            throw RenderError(
                .usage, "standard output is a terminal: redirect it to a file or a pipe, or name a file with -o")
        }
        return StandardOutput(cancellation: cancellation)
    }

    static var standardErrorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether two paths lead to one file.
    static func isSameFile(_ a: String, _ b: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Makes a directory of this run's own where the system keeps temporary files. Returns its path.
    static func makeTemporaryDirectory() throws -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        var path = Array("\(parent.isEmpty ? "/tmp" : parent)/loadervid-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else {
            throw RenderError(
                .cannotCreate,
                "no directory can be made in \(parent.isEmpty ? "/tmp" : parent) (\(String(cString: strerror(errno)))): "
                    + "let TMPDIR name one where files can be written")
        }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether a path names, or will name, the same file as another, or with `holds` one within it.
    static func isSamePlace(_ path: String, _ other: String, holds: Bool = false) -> Bool {
        func place(_ path: String) -> String {
            let (directory, name) = FileSystem.split(path)
            return FileSystem.resolved(directory) + "/" + name
        }
        let (one, two) = (place(path), place(other))
        return holds ? one.utf8.starts(with: (two + "/").utf8) : Array(one.utf8) == Array(two.utf8)
    }

    /// Columns of the terminal behind standard error.
    static var terminalWidth: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

/// Turns SIGINT, SIGTERM and SIGHUP into a wish to stop; another signal, a second later or more, ends the program at once.
final class Interruption: Sendable {
    let token = CancellationToken()
    // A queue of its own always gets a thread; the global ones run no more than one a core, and workers keep those busy.
    private let queue = DispatchQueue(label: "loadervid.signals")
    private let tidyUp = Mutex<(@Sendable () -> Void)?>(nil)
    private let first = Mutex<DispatchTime?>(nil)

    /// Begins to listen, for as long as the program runs.
    init() {
        // Until it listens a signal ends the program as usual, when there is nothing to tidy up yet.
        let listening = DispatchGroup()
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            listening.enter()
            source.setRegistrationHandler { listening.leave() }
            source.setEventHandler {
                // The source lives on in its handler.
                withExtendedLifetime(source) { self.interrupt() }
            }
            source.resume()
        }
        listening.wait()
    }

    /// Calls `body` if a second signal ends the program before it could tidy up.
    func onForcedEnd(_ body: @escaping @Sendable () -> Void) { tidyUp.withLock { $0 = body } }

    private func interrupt() {
        token.cancel()
        // One Ctrl-C may arrive twice, from the terminal and from a parent that passes it on.
        let now = DispatchTime.now()
        let since = first.withLock { first in
            first = first ?? now
            return first.map { now.uptimeNanoseconds - $0.uptimeNanoseconds } ?? 0
        }
        guard since > 1_000_000_000 else { return }
        tidyUp.withLock { $0 }?()
        _exit(Failure.code(of: .interrupted))
    }
}
