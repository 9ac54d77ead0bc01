// Which way a ball goes in each step.
let ways = [-1, 1, 1, -1, 0, 0]

struct Ball {
    var step: Int
    func x(after time: Double) -> Double {
        let way = Double(ways[step])
        return way * 30 * time / 0.24
    }
}
