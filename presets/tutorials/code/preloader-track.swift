// Part of the cycle: where spot 1 is.
let track = [
    (0.00, left), (0.25, left),
    (0.35, right), (0.38, rightRear),
    (0.41, right),
    (0.75, right),
    (0.85, left), (0.88, leftRear),
    (0.91, left), (1.00, left),
]
// Spot i follows.
begin = now + 0.08 * cycle * Double(i)
