extension PageScript {
    // The page's user interface texts. The loader's texts are in its data.
    static let words = #"""
        const words = {
          en: {
            language: "Language", frame: "Frame", position: "Model time", playing: "Playing", phases: "Phases",
            play: "Play", pause: "Pause", back60: "Back 1/60 s", back240: `Back 1/${stepRate} s`,
            next240: `Forward 1/${stepRate} s`, next60: "Forward 1/60 s", speed: "Speed", numbers: "Positions and speeds",
            positions: "Positions now", table: "Phases", keys: "Keyboard", listens: "Enable keyboard shortcuts",
            object: "object", phase: "phase", marks: "Mark the objects in their colours", start: "start (s)", duration: "duration (s)", step: "step",
            displacements: "Displacement by step:", time: "time (s)", chart: "Chart over one period:",
            still: "This loader has no named objects to chart.",
            count: (frame, frames) => `frame ${frame} of ${frames} (1/${stepRate} s each)`,
            about: (id, width, height, period) => `${id} · ${width} × ${height} pt · period ${period} s`,
            rate: speed => `${speed}× speed`,
            list: [
              ["space", "play or pause"], ["← →", `by 1/${stepRate} s`], ["Shift ← →", "by 1/60 s"], ["1 … 9 0", "to phase 1 … 10"],
              ["− +", "slower, faster"], ["Home End", "to the beginning, to the end"], ["L", "the other language"]],
          },
          "zh-Hans": {
            language: "语言", frame: "画面", position: "模型时间", playing: "播放", phases: "阶段",
            play: "播放", pause: "暂停", back60: "后退 1/60 秒", back240: `后退 1/${stepRate} 秒`,
            next240: `前进 1/${stepRate} 秒`, next60: "前进 1/60 秒", speed: "速度", numbers: "位置与速率",
            positions: "当前位置", table: "各阶段", keys: "键盘", listens: "页面响应以下按键",
            object: "对象", phase: "阶段", marks: "用各自的颜色标出对象", start: "开始 (s)", duration: "历时 (s)", step: "步",
            displacements: "各步位移：", time: "时间 (s)", chart: "一个周期内的曲线：",
            still: "此动画没有命名的运动对象，无曲线可画。",
            count: (frame, frames) => `第 ${frame} / ${frames} 帧，每帧 1/${stepRate} 秒`,
            about: (id, width, height, period) => `${id} · ${width} × ${height} pt · 周期 ${period} s`,
            rate: speed => `真实速度的 ${speed} 倍`,
            list: [
              ["空格", "播放或暂停"], ["← →", `移动 1/${stepRate} s`], ["Shift ← →", "移动 1/60 s"], ["1 … 9 0", "到第 1 … 10 阶段"],
              ["− +", "减速、加速"], ["Home End", "到开头、到末尾"], ["L", "切换语言"]],
          },
        };

        """#
}
