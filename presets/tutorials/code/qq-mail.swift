let table = [-1, 1, 1, -1, 0, 0]
var step = [1, 5, 3] // red, yellow, green
let depth = [[3,2,1], [1,3,2], [2,1,3]]
// Every tick:
for ball in 0..<3 {
    if step[ball] == 3 { z = depth[ball] }
    x[ball] += table[step[ball]]
}
// Every 30 ticks:
for ball in 0..<3 {
    step[ball] = (step[ball] + 1) % 6
}
