import Animations

/// Translations of the captions that are common to all loaders.
package enum Glossary {
    /// Returns the translation of an English caption, or the caption itself if there is none.
    package static func phrase(_ english: String, in language: Language) -> String {
        language == .zh ? chinese[english] ?? english : english
    }

    private static let bySteps = "各步位移"

    private static let chinese = [
        "Phase": "阶段", "object": "对象", "step": "步", "direction": "方向", "from → to (pt)": "起 → 止 (pt)",
        "displacement by step": bySteps,
        "displacement by step (the next in each phase)": "\(bySteps)（每过一个阶段，小球走到下一步）",
        "time (s)": "时间 (s)", "x (pt)": "x (pt)", "y (pt)": "y (pt)",
        "size (%)": "大小 (%)", "radius (pt)": "半径 (pt)", "opacity (%)": "不透明度 (%)", "angle (°)": "角度 (°)",
        "drawn (%)": "已画出 (%)",
        "draws itself": "描线", "erases itself": "擦去", "draws and erases itself": "描线后擦去",
        "moves along its path": "沿路径移动", "not visible": "不可见",
        "phases": "个阶段", "phase": "个阶段",
        "period": "周期", "x from the centre (pt)": "x，以中心为原点 (pt)",
    ]
}
