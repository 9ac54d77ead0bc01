// A program that uses the library: it allows changes of its process and renders a clip. Arguments:
// the codec, the output's path, and a byte that fills memory, which is freed before the clip.
import Animations
import Core
import Media
import Render

let words = CommandLine.arguments
guard words.count == 4, let byte = UInt8(words[3]), let frameRate = FrameRate(60) else { fatalError("codec path byte") }

ProcessSettings.allowChanges()
let used = (4..<24).flatMap { power in
    (0..<8).map { _ in
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 3 << (power - 1), alignment: 16)
        block.initializeMemory(as: UInt8.self, repeating: byte)
        return block
    }
}
for block in used { block.deallocate() }

var loader = try LoaderRequest(id: "qq-mail")
loader.size = .scale(1)
loader.annotations = [.labels, .timeline]
var request = RenderRequest(loader: loader, container: .mkv, frameRate: frameRate)
request.codec = words[1]
request.keyFrameInterval = Rational(1, 4)
// Three segments for two workers.
request.to = .seconds(Rational(3, 4))
let pipeline = RenderPipeline([try RenderPlan(request)], jobs: 2, memory: 4 << 30)
_ = try pipeline.run(to: .file(try OutputFile(path: words[2], overwrites: false)))
