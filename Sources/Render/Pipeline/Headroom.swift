import Core
import Dispatch

/// The check of the process's limits before work begins, because encoders and Pango cannot recover
/// from a failed allocation and a clip should not fail at its end. The memory that other clips of a
/// batch will take is unknown, so a clip of a batch may still fail.
package enum Headroom {
    /// Throws `LoadervidError` if the process's memory limit does not leave `bytes` more bytes of
    /// address space, used or not.
    package static func check(memory bytes: Int, for what: @autoclosure () -> String) throws {
        // Without a limit there is no check: systems that do not overcommit may refuse memory that
        // would never be used.
        guard Resources.memoryLimit != nil else { return }
        guard Resources.canReserve(bytes) else {
            throw LoadervidError(
                .internal, "\(what()) needs about \(bytes >> 20) MB more memory than the limit allows", hint: .less)
        }
    }

    /// Throws `LoadervidError` if the process cannot start `count` more threads. Starts them to
    /// find out.
    package static func check(threads count: Int, for what: @autoclosure () -> String) throws {
        let end = DispatchSemaphore(value: 0)
        let threads = ThreadGroup()
        var started = 0
        while started < count, threads.start({ end.wait() }) { started += 1 }
        for _ in 0..<started { end.signal() }
        threads.wait()
        guard started == count else {
            throw LoadervidError(
                .internal,
                "\(what()) needs more threads than the limits allow; raise the limits on processes (ulimit -u) and "
                    + "memory (ulimit -v) or choose another codec")
        }
    }

    /// Throws `LoadervidError` if the process cannot open `count` more files.
    package static func check(files count: Int) throws {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<count {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw LoadervidError(errno: errno, .open, "more files") }
            opened.append(descriptor)
        }
    }
}

extension RenderPlan {
    /// The address space that a thread reserves, in bytes: its stack and its malloc arena.
    private static let bytesPerThread = 12 << 20

    /// Returns an estimate of the address space that one worker reserves at most, in bytes, used or
    /// not. It is slightly above the values measured with limits that were just sufficient.
    private func reservedBytes(drawsAhead: Bool) -> Int {
        let threads = (drawsAhead ? 2 : 1) + (encoder.threads > 1 ? encoder.threads : 0)
        // A short clip does not fill the encoder's look-ahead.
        let frames = min(frameCount, encoder.keyFrameInterval)
        let traits = encoder.traits
        let bytesPerPixel = traits.allocatesUpFront ? traits.bytesPerPixel : 40 + 4 * frames
        return (threads + traits.reservedThreads) * RenderPlan.bytesPerThread
            + min(bytesPerWorker, (16 << 20) + width * height * bytesPerPixel)
    }

    /// Throws `LoadervidError` if the process's limits leave too little memory or too few files to
    /// encode these plans in parallel.
    static func checkHeadroom(for plans: [RenderPlan], workers: Int, drawsAhead: Bool) throws {
        // One file to read a finished MP4 while its index moves to the front, and one directory per
        // plan.
        try Headroom.check(files: 1 + plans.count)
        let encoders = workers * plans.reduce(0) { $0 + $1.reservedBytes(drawsAhead: drawsAhead) }
        // Pango's fonts, and everything besides encoders and text, as measured.
        let text = plans[0].source.hasText ? 96 << 20 : 0
        try Headroom.check(
            memory: encoders + text + (80 << 20),
            for: "\(plans[0].encoder.encoder) for \(plans[0].width)x\(plans[0].height)")
    }
}
