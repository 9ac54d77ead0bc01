import Media

/// A muxer that writes each packet, which is an image file, to a numbered file. Not thread-safe.
final class SequenceMuxer: PacketMuxer {
    private let output: OutputSequence
    private let startNumber: Int

    init(_ output: OutputSequence, startNumber: Int) {
        self.output = output
        self.startNumber = startNumber
    }

    func write(_ packet: Packet, pts: Int, dts: Int, duration: Int) throws {
        try output.write(packet.bytes, number: startNumber + pts)
    }

    func finish() {}
}
