let table = [-1, 1, 1, -1, 0, 0]
var step = [1, 5, 3] // red, yellow, green

// Every tick:
for ball in 0..<3 {
    if step[ball] == 3 { toFront(ball) }
    x[ball] += table[step[ball]]
}
// Every 30 ticks:
for ball in 0..<3 {
    step[ball] = (step[ball] + 1) % 6
}
