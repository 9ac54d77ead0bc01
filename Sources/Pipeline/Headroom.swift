import Dispatch
import Platform

/// What the limits of the process leave, looked at before work begins: encoders and Pango do not come back from a refusal in
/// the middle of it, and a clip should not fail at its end. What clips of a batch that run beside it take after the look is
/// not known, so there one may.
package enum Headroom {
    /// Throws `RenderError` if a limit of this process leaves less than so much more memory, in bytes, whether it will be
    /// used or not.
    package static func check(memory bytes: Int, for what: @autoclosure () -> String) throws {
        // Machines that promise no more than they have may refuse what nobody would use.
        guard Resources.memoryLimit != nil else { return }
        // Reserved, written to or not, it counts for RLIMIT_AS and RLIMIT_DATA, but takes nothing from anybody.
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard let place = mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0), place != MAP_FAILED else {
            throw RenderError(
                .internal, "\(what()) needs about \(bytes >> 20) MB more memory than the limit allows", wayOut: .less)
        }
        munmap(place, bytes)
    }

    /// Throws `RenderError` if there cannot be so many more threads, found by starting them.
    package static func check(threads count: Int, for what: @autoclosure () -> String) throws {
        let end = DispatchSemaphore(value: 0)
        let crew = ThreadGroup()
        var started = 0
        while started < count, crew.start({ end.wait() }) { started += 1 }
        for _ in 0..<started { end.signal() }
        crew.wait()
        guard started == count else {
            throw RenderError(
                .internal,
                "\(what()) needs more threads than there can be: raise the limits of processes (ulimit -u) and of memory "
                    + "(ulimit -v), or choose another codec")
        }
    }

    /// Throws `RenderError` if so many more files cannot be open at once.
    package static func check(files count: Int) throws {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<count {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw RenderError(errno: errno, "open files") }
            opened.append(descriptor)
        }
    }
}

extension RenderPlan {
    /// What a thread reserves, in bytes: its stack, and the memory that it keeps at hand.
    private static let threadSpace = 12 << 20

    /// About how much memory one worker reserves at its most, in bytes, used or not; a little more than what it was seen to
    /// need under limits that were just enough.
    private func reservedBytes(drawsAhead: Bool) -> Int {
        let threads = (drawsAhead ? 2 : 1) + (encoder.threads > 1 ? encoder.threads : 0)
        // Short clips fill no look-ahead.
        let frames = min(frameCount, encoder.keyFrameInterval)
        let traits = encoder.traits
        let bytesPerPixel = traits.fillsMemoryAtOnce ? traits.bytesPerPixel : 40 + 4 * frames
        return (threads + traits.reservingThreads) * RenderPlan.threadSpace
            + min(bytesPerWorker, (16 << 20) + width * height * bytesPerPixel)
    }

    /// Throws `RenderError` if the limits of the process leave too little for encoding these plans side by side.
    static func checkHeadroom(for plans: [RenderPlan], workers: Int, drawsAhead: Bool) throws {
        // One to read a finished MP4 again when its index goes to the front, one for its directory.
        try Headroom.check(files: 1 + plans.count)
        let encoders = workers * plans.reduce(0) { $0 + $1.reservedBytes(drawsAhead: drawsAhead) }
        let captions = plans[0].subject.hasText ? 96 << 20 : 0
        try Headroom.check(
            memory: encoders + captions + (80 << 20),
            for: "\(plans[0].encoder.encoder) for \(plans[0].width)x\(plans[0].height)")
    }
}
