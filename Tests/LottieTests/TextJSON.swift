@testable import Lottie

// Text layers in a font of rectangles.

/// A glyph that is a rectangle of a width and a height of 70 above the baseline, in hundredths
/// of the font size.
func block(_ character: String, _ width: Double, _ advance: Double) -> JSON {
    [
        "ch": .string(character), "size": 10, "style": "Regular", "fFamily": "Blocks", "w": .number(advance),
        "data": [
            "shapes": [["ty": "gr", "it": [path(box(0, -70, width, 0)), transform([:]).with(["ty": "tr"])]]]
        ],
    ]
}

func textAnimation(
    _ text: String, _ style: [String: JSON] = [:], animators: [JSON] = [], at: [String: JSON] = ["p": [10, 60]],
    family: String = "Blocks"
) -> JSON {
    let document: JSON = JSON.object([
        "t": .string(text), "f": "Font", "s": 20, "lh": 24, "tr": 0, "j": 0, "fc": [0, 0, 0], "ls": 0,
    ]).with(style)
    return lottie(
        layer(5, at, ["t": ["d": ["k": [["t": 0, "s": document]]], "a": .array(animators), "p": [:], "m": [:]]]),
        [
            "chars": [
                block("a", 50, 60), block("b", 30, 40),
                ["ch": " ", "style": "Regular", "fFamily": "Blocks", "w": 30, "data": [:]],
            ],
            "fonts": ["list": [["fName": "Font", "fFamily": .string(family), "fStyle": "Regular"]]],
        ])
}

/// A text animator with a range selector.
func textAnimator(_ range: [String: JSON], _ values: [String: JSON]) -> JSON {
    [
        "s": .object(
            ["t": 0, "b": 1, "sh": 1, "r": 1].merging(properties(range).merging(["b": 1, "sh": 1, "r": 1]) { $1 }) {
                $1
            }), "a": .object(properties(values)),
    ]
}
