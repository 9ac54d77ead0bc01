import Foundation
import TestSupport
import Testing

@Suite struct ProResTests {
    /// ProRes says of each frame which colours it has, and its decoders believe that rather than the container.
    @Test(arguments: ["mov", "mkv"]) func framesSayTheirColors(container: String) throws {
        let workspace = try Workspace()
        let path = try workspace.encode(
            "qq", "--size", "64x64", "--duration", "0.1", "--background", "#0080ff", "--codec", "prores_ks",
            to:
                "clip.\(container)")
        let stream = try Probe(path).stream
        #expect([stream.colorSpace, stream.colorPrimaries, stream.colorTransfer] == ["bt709", "bt709", "bt709"])
        let corner = try #require(try pictures(of: path).first?[..<3].map(Int.init))
        #expect(zip(corner, [0, 0x80, 0xff]).allSatisfy { abs($0 - $1) <= 3 }, "\(corner)")
    }
}
