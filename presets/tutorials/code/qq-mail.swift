let table = [-1, 1, 1, -1, 0, 0]
let first = [1,5,3] // red, yellow, green
let depth = [[3,2,1], [1,3,2], [2,1,3]]
// Every tick:
let phase = ticks / 30
for ball in 0..<3 {
    let step = (first[ball] + phase) % 6
    x[ball] += table[step]
    if step == 3 { z = depth[ball] }
}
ticks += 1
