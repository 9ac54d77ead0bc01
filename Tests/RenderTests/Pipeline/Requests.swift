import Animations
import Core
import Foundation
import Media
import Render
import TestSupport
import Testing

/// A request for a small clip, by default of qq-mail's three balls, with a test's changes.
func request(
    _ id: String = "qq-mail", _ container: Container = .mp4, fps: String = "60",
    _ change: (inout RenderRequest) throws -> Void = { _ in }
) throws -> RenderRequest {
    var loader = try LoaderRequest(id: id)
    loader.size = .pixels(width: 32, height: 16)
    let rate = try #require(FrameRate(text: fps))
    var request = RenderRequest(loader: loader, container: container, frameRate: rate)
    try change(&request)
    return request
}

/// A request for a clip that is too long to finish in a test.
func endlessRequest() throws -> RenderRequest {
    try request("qq") {
        $0.loader.size = .pixels(width: 480, height: 480)
        $0.extent = .duration(100_000)
    }
}

/// A memory limit that no test reaches, in bytes.
let plentyOfMemory = 4 << 30

/// Renders a plan into a file and returns the report.
@discardableResult
func render(
    _ plan: RenderPlan, to path: String, jobs: Int = 2, overwrites: Bool = false,
    cancellation: CancellationToken = CancellationToken()
) throws -> RenderReport {
    let pipeline = RenderPipeline([plan], jobs: jobs, memory: plentyOfMemory, cancellation: cancellation)
    return try pipeline.run(to: .file(try OutputFile(path: path, overwrites: overwrites)))
}

/// Waits until a condition holds, and fails the test if that takes more than ten seconds.
func wait(until condition: () -> Bool) throws {
    let deadline = Date().addingTimeInterval(10)
    while !condition() {
        guard Date() < deadline else { throw SubprocessError(description: "waited in vain") }
        usleep(500)
    }
}
