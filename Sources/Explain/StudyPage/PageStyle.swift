/// The style sheet of a page, for light and dark colour schemes and any screen width.
enum PageStyle {
    // The `--card` colours equal `StudyPage.chartBackgrounds`.
    static let text = #"""
        :root {
          --ground: #f2f3f6; --card: #ffffff; --ink: #20242c; --faint: #565c68; --line: #cfd3da; --soft: #e9ecf1;
          --accent: #0060c0; --on-accent: #ffffff; --edge: rgb(32 36 44 / 0.3);
          font: 16px/1.5 system-ui, "Noto Sans", "DejaVu Sans", "PingFang SC", "Noto Sans CJK SC", "WenQuanYi Micro Hei", sans-serif;
          color: var(--ink); background: var(--ground);
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #121419; --card: #1d2027; --ink: #eef0f4; --faint: #aab0bc; --line: #454a56; --soft: #2b2f39;
            --accent: #66b2ff; --on-accent: #0b1624; --edge: rgb(238 240 244 / 0.4);
          }
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        body { margin: 0 auto; max-width: 1280px; padding: 14px 16px 24px; }
        header { display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: flex-start; justify-content: space-between; margin: 0 4px 12px; }
        h1 { font-size: 1.4rem; line-height: 1.25; margin: 0; }
        h2 { font-size: 1.05rem; margin: 0 0 8px; }
        p { margin: 0; }
        #about, #made { color: var(--faint); font-size: 0.875rem; overflow-wrap: anywhere; }
        main { display: grid; gap: 12px; grid-template-columns: minmax(0, 1fr); }
        .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px; min-width: 0; }
        button {
          font: inherit; font-size: 0.875rem; color: var(--ink); background: var(--soft); border: 1px solid var(--line);
          border-radius: 7px; min-height: 36px; min-width: 36px; padding: 4px 10px; cursor: pointer;
        }
        button:hover { border-color: var(--accent); }
        button[aria-pressed="true"], button[aria-current="true"] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        input[type="range"] { accent-color: var(--accent); width: 100%; height: 28px; margin: 0; }
        #languages { display: flex; gap: 6px; }
        #languages:empty { display: none; }
        #area { display: flex; justify-content: center; }
        #canvas { position: relative; }
        .spot { position: absolute; width: 9px; height: 9px; margin: -4.5px; border-radius: 50%; border: 1.5px solid #fff; outline: 1px solid #20242c; pointer-events: none; }
        canvas { display: block; border-radius: 4px; outline: 1px solid var(--line); }
        #caption { text-align: center; font-weight: 600; min-height: 3em; padding: 8px 0 2px; display: grid; place-items: center; }
        #controls { display: flex; flex-wrap: wrap; gap: 6px 18px; align-items: center; justify-content: center; }
        .buttons { display: flex; flex-wrap: nowrap; gap: 6px; justify-content: center; }
        .buttons button { padding: 4px 8px; font-variant-numeric: tabular-nums; white-space: nowrap; }
        #play { min-width: 5.2em; background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
        #pace { display: flex; gap: 8px; align-items: center; font-size: 0.875rem; flex: 1 1 220px; max-width: 340px; }
        #pace span { white-space: nowrap; }
        #factor { min-width: 3.2em; font-variant-numeric: tabular-nums; }
        #phases { display: grid; gap: 6px; margin-top: 10px; grid-template-columns: repeat(auto-fit, minmax(40px, 1fr)); }
        #phases.named { grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); }
        #phases button { line-height: 1.25; }
        #phases.named button { text-align: left; }
        #clock { display: flex; flex-wrap: wrap; gap: 0 16px; align-items: baseline; justify-content: space-between; font-variant-numeric: tabular-nums; }
        #time { font-size: 1.3rem; font-weight: 600; }
        #count { color: var(--faint); font-size: 0.875rem; }
        /* Shadows at the edges at which a table continues; covers that scroll with it hide them at its ends. */
        .wide {
          overflow-x: auto; background-repeat: no-repeat; background-size: 36px 100%, 36px 100%, 12px 100%, 12px 100%;
          background-image: linear-gradient(90deg, var(--card) 40%, transparent), linear-gradient(270deg, var(--card) 40%, transparent),
            linear-gradient(90deg, var(--edge), transparent), linear-gradient(270deg, var(--edge), transparent);
          background-position: 0 0, 100% 0, 0 0, 100% 0; background-attachment: local, local, scroll, scroll;
        }
        table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
        th, td { padding: 4px 8px; text-align: left; border-bottom: 1px solid var(--line); }
        thead th { color: var(--faint); font-weight: 600; white-space: nowrap; vertical-align: bottom; }
        tbody th { font-weight: 400; }
        tr.now > * { background: var(--soft); }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .way { white-space: nowrap; font-variant-numeric: tabular-nums; }
        .way small { display: block; color: var(--faint); font-size: 0.8125rem; }
        #table tr.now .way small { color: var(--ink); }
        #table tbody th { min-width: 11em; }
        #readout { margin: 6px 0 10px; max-height: 230px; overflow-y: auto; }
        #readout:empty { display: none; }
        .swatch { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 7px; vertical-align: -1px; }
        figure { margin: 0 0 8px; }
        figcaption { font-size: 0.8125rem; color: var(--faint); padding-left: 48px; }
        .plot { position: relative; height: 124px; margin-left: 48px; touch-action: pan-y; cursor: crosshair; }
        .plot svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: hidden; border: 1px solid var(--line); }
        .plot path { fill: none; vector-effect: non-scaling-stroke; }
        .rule { stroke: var(--line); stroke-width: 1; }
        .border { stroke: var(--faint); stroke-width: 1; stroke-dasharray: 2 4; opacity: 0.7; }
        .curve { stroke-width: 2; stroke-linejoin: round; }
        .mark { position: absolute; right: calc(100% + 6px); transform: translateY(-50%); font-size: 0.75rem; color: var(--faint); white-space: nowrap; font-variant-numeric: tabular-nums; }
        .head { position: absolute; top: 0; bottom: 0; left: calc(100% * var(--now)); width: 2px; margin-left: -1px; background: var(--accent); pointer-events: none; }
        .dot { position: absolute; left: calc(100% * var(--now)); width: 9px; height: 9px; margin: -4.5px; border-radius: 50%; border: 1.5px solid var(--card); pointer-events: none; }
        .times { position: relative; height: 20px; margin-left: 48px; font-size: 0.75rem; color: var(--faint); font-variant-numeric: tabular-nums; }
        .times span { position: absolute; transform: translateX(-50%); }
        .times span:first-child { transform: none; }
        .times span.last { transform: translateX(-100%); }
        #displacements { margin-bottom: 8px; font-size: 0.875rem; }
        #displacements:empty { display: none; }
        #table th button { text-align: left; border: 0; background: none; color: var(--accent); padding: 4px 0; line-height: 1.3; }
        #table th button:hover { text-decoration: underline; }
        .box { display: inline-flex; gap: 8px; align-items: center; font-size: 0.875rem; min-height: 28px; }
        #marking { margin-top: 6px; }
        .box input { width: 18px; height: 18px; accent-color: var(--accent); }
        dl { display: grid; gap: 4px 20px; grid-template-columns: repeat(auto-fill, minmax(290px, 1fr)); margin: 10px 0 0; font-size: 0.875rem; }
        dl div { display: flex; gap: 10px; align-items: baseline; }
        dt { flex: 0 0 8.5em; }
        dd { margin: 0; }
        kbd { font: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: 0 6px; white-space: nowrap; }
        footer { margin: 12px 4px 0; }
        @media (min-width: 960px) {
          main { grid-template-columns: minmax(0, 11fr) minmax(0, 10fr); }
          main > section:nth-child(n + 3) { grid-column: 1 / -1; }
        }
        @media (max-width: 480px) {
          body { padding: 10px 8px 20px; }
          .card { padding: 10px; }
          .buttons { width: 100%; }
          .buttons button { flex: 1 1 0; padding: 4px 2px; font-size: 0.8125rem; }
          #phases.named { grid-template-columns: repeat(2, minmax(0, 1fr)); }
          #table th, #table td { padding: 4px 5px; font-size: 0.8125rem; }
          #table thead th { white-space: normal; }
          #table tbody th { min-width: 8.5em; }
          figcaption { padding-left: 40px; }
          .plot, .times { margin-left: 40px; }
        }

        """#
}
