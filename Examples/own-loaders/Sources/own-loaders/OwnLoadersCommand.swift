import LoaderVideoCommand
import OwnLoaders

@main struct OwnLoadersCommand {
    static func main() {
        LoaderVideoCommand.main(adding: [.init(PulsingDots.self), .init(ChasingArc.self), .init(Pendulum.self)])
    }
}
