import Animations
import Explain
import Render
import TestSupport

/// A generator of presets, many of them valid, in all notations of YAML.
struct PresetGenerator {
    private var random: SeededGenerator

    init(seed: Int) { random = SeededGenerator(seed: seed) }

    mutating func next() -> String {
        var text = ""
        if chance(3) { text += "name: \(pick(["site", "'7'", "7", "2.5", "true", "点", "a-b_c.d", "1_0", "_x"]))\n" }
        if chance(3) { text += "description: \(pick(["For all.", "7", "yes", "'x: y'", "2001-12-14"]))\n" }
        if chance(6) { text += "extends: \(pick(["base.yaml", "[base.yaml]", "[]", "[base]"]))\n" }
        if chance(2) { text += "defaults:\n\(clip(indent: "  ", isDefault: true))" }
        text += "clips:\n"
        for _ in 0..<random.int(1...3) { text += "  - name: \(name())\n" + clip(indent: "    ", isDefault: false) }
        return text
    }

    private mutating func chance(_ n: Int) -> Bool { random.int(1...n) == 1 }
    private mutating func pick<Value>(_ values: [Value]) -> Value { values[random.int(0...values.count - 1)] }

    private var names = 0

    private mutating func name() -> String {
        names += 1
        let end = "-{loader}-{fps}"
        return pick([
            "'a\(names)\(end)'", "\"a\(names)\(end)\"", "a\(names)\(end)", "a\(names)", "\(names)", "1.\(names)",
        ])
    }

    private mutating func clip(indent: String, isDefault: Bool) -> String {
        var lines: [String] = []
        if !isDefault || chance(3) {
            let known = [
                "qq", "qq-mail", "[qq-mail]", "[jelly, qq]", "film.json", "FILM.JSON", "[film.json, qq]", "'iqiyi'",
            ]
            lines.append("loader: \(pick(known))")
        }
        if chance(4) {
            let known = [
                "{radius: 8}", "{radius: '8', red: tomato}", "{radius: null}", "{}", "{red: '#c00', radius: 7.5}",
            ]
            lines.append("set: \(pick(known))")
        }
        lines.append("size: \(pick(["64x32", "'64x64'", "\"80x48\""]))")
        var used: Set = ["size", "scale", "layout", "audio", "mark"]
        for _ in 0..<random.int(0...3) {
            let option = pick(OptionRegistry.current.options)
            guard used.insert(option.key).inserted else { continue }
            lines.append("\(option.key): \(value(of: option))")
        }
        if chance(2) { lines.append("outputs: \(outputs())") }
        if !isDefault, chance(3) { lines.append("matrix: {\(axis(&used))}") }
        return lines.map { indent + $0 + "\n" }.joined()
    }

    private mutating func axis(_ used: inout Set<String>) -> String {
        let option = pick(OptionRegistry.current.options)
        if chance(4) { return pick(["set.radius: [5, '6', 7.5]", "set.red: [tomato, '#0f0']"]) }
        guard used.insert(option.key).inserted else { return "fps: [24, 30]" }
        return "\(option.key): [\((0..<random.int(1...2)).map { _ in value(of: option) }.joined(separator: ", "))]"
    }

    private mutating func outputs() -> String {
        let one = [
            "mp4", "MP4", "'webm'", "Gif", "{format: mkv}", "{format: MOV, suffix: -x}", "{format: mp4, suffix: 2}",
            "{format: mp4, suffix: 'true'}", "{format: mp4, suffix: no}", "{format: apng, loop: 2}",
            "{format: webm, quality: 40, speed: '8'}",
        ]
        return chance(2) ? pick(one) : "[\(pick(one)), \(pick(one))]"
    }

    private mutating func value(of option: ClipOption) -> String {
        if chance(8) { return pick(["null", "~"]) }
        switch option.valueKind {
        case .flag: return pick(["true", "false", "True", "FALSE"])
        case .word(let words):
            let word = pick(words)
            return pick([word, "'\(word)'"])
        case .words(let words):
            let (a, b) = (pick(words), pick(words))
            return pick([a, "all", "[\(a), \(b)]", "'\(a),\(b)'", "\"\(a),all\"", "[\(a)]"])
        case .text, .number, .file: return pick(samples(of: option.key))
        }
    }

    private func samples(of key: String) -> [String] {
        let known: [String: [String]] = [
            "title": ["Hello", "7", "1.50", "true", "no", "'x: y'", "1e3", "0x10", "12:30", ".nan", "on"],
            "background": ["'#222'", "white", "\"#fff\""], "matte": ["'#222'", "white"],
            "fps": ["30", "'30'", "29.97", "30000/1001", "12.5"], "from": ["phase:1", "0", "0.25", "'1/3'"],
            "to": ["phase:2", "1.2"], "phase": ["0", "1", "'1'"], "codec": ["h264", "vp9", "gif", "'hevc'"],
            "quality": ["30", "'30'", "5"], "speed": ["8", "ultrafast", "'4'"],
            "max-bytes": ["2MB", "500000", "'1 MB'"],
            "pixel-format": ["yuv444p", "yuv420p"], "animation": ["first", "7", "yes"],
            "duration": ["1", "0.5", "1/2"], "motion-blur": ["0.5", "0"], "loop": ["3", "'1'"],
            "start-number": ["0", "'007'", "12"], "timecode": ["'01:00:00:00'", "23:59:59:24", "'00:00:00;00'"],
            "encoder-option": ["bf=2", "'tune=animation,bf=1'", "\"bf=0\""],
        ]
        return known[key] ?? ["1", "2", "'2'", "1.5", "1/2"]
    }
}
