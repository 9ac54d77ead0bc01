extension PageScript {
    // Playback, the parts of the page that change during it, and the controls.
    static let player = #"""
        // Times are in frames. A step is page.step frames.
        const length = page.period * page.rate, steps = Math.ceil(page.frames / page.step);
        let position = 0, frame = 0, shown = -1, playing = false, exponent = 0, last = 0;

        const latest = starts => starts.reduce((found, start, index) => start.first <= frame ? index : found, 0);
        const fixed = (value, places) => {
          const text = value.toFixed(places);
          return (Number(text) === 0 ? (0).toFixed(places) : text).replace("-", "−");
        };
        let phase = -1;
        const showPhase = isNew => {
          const now = latest(page.phases);
          if (now === phase && !isNew) return;
          phase = now;
          [...find("phases").children].forEach((button, index) => {
            if (index === now) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
          });
          find("table").querySelectorAll("tbody tr").forEach((row, index) => row.classList.toggle("now", index === now));
        };

        // Elements over the canvas, whose pixels stay unchanged.
        const showMarks = () => {
          const canvas = find("frame"), [width, height] = [canvas.clientWidth, canvas.clientHeight];
          const scale = Math.min(width / page.width, height / page.height);
          document.querySelectorAll(".spot").forEach((spot, object) => {
            const [x, y] = readings[object].map(reading => reading(frame));
            spot.hidden = !find("marks").checked;
            spot.style.left = `${width / 2 + (x - page.width / 2) * scale}px`;
            spot.style.top = `${height / 2 + (y - page.height / 2) * scale}px`;
          });
        };

        const show = () => {
          if (frame === shown) return;
          const isNew = shown < 0;
          shown = frame;
          drawFrame(find("frame"), frame);
          const seconds = (frame / page.rate).toFixed(4);
          find("time").textContent = `${seconds} s`;
          find("count").textContent = word("count")(Math.floor(frame / page.step) + 1, steps);
          find("position").value = frame;
          find("position").setAttribute("aria-valuetext", `${seconds} s`);
          const caption = said(page.captions[latest(page.captions)]?.text ?? page.title);
          if (find("caption").textContent !== caption) find("caption").textContent = caption;
          showPhase(isNew);
          find("charts").style.setProperty("--now", frame / length);
          find("readout").querySelectorAll("tbody tr").forEach((row, object) => {
            readings[object].forEach((reading, index) => {
              row.children[index + 1].textContent = fixed(reading(frame), index === 2 ? 1 : 2);
            });
          });
          showMarks();
          for (const chart of page.charts) {
            const quantity = ["x", "y", "speed"].indexOf(chart.quantity);
            chart.dots.forEach((dot, index) => {
              const curve = chart.curves[index], now = frame / length * 10000;
              const value = readings[curve.object][quantity](frame) - chart.origin;
              // Spans are rounded, so one more unit counts on each side.
              dot.hidden = !curve.spans.some(([start, end]) => start - 1 <= now && now <= end + 1);
              dot.style.top = `${(value - chart.top) / (chart.bottom - chart.top) * 100}%`;
            });
          }
        };

        const goTo = to => { frame = position = to; show(); };
        // From wherever playback stopped to a whole step.
        const by = count => {
          play(false);
          const step = (count > 0 ? Math.floor : Math.ceil)(frame / page.step) + count;
          goTo((step % steps + steps) % steps * page.step);
        };
        let request = 0;
        const tick = now => {
          // A frame's time may be before the request for it. After the tab was hidden, playback
          // continues from where it was.
          position = (position + Math.min(Math.max(now - last, 0), 250) / 1000 * page.rate * 2 ** exponent) % length;
          last = now;
          frame = Math.min(Math.floor(position), page.frames - 1);
          show();
          request = requestAnimationFrame(tick);
        };
        const play = wanted => {
          find("play").textContent = word(wanted ? "pause" : "play");
          if (wanted === playing) return;
          playing = wanted;
          cancelAnimationFrame(request);
          if (!wanted) return;
          last = performance.now();
          request = requestAnimationFrame(tick);
        };
        const showSpeed = () => {
          const text = exponent < 0 ? `1/${2 ** -exponent}` : `${2 ** exponent}`;
          find("factor").textContent = `${text} ×`;
          find("speed").value = exponent;
          find("speed").setAttribute("aria-valuetext", word("rate")(text));
          find("play").textContent = word(playing ? "pause" : "play");
        };
        const setSpeed = wanted => { exponent = Math.min(Math.max(wanted, -5), 1); showSpeed(); };

        find("play").onclick = () => play(!playing);
        // Steps of 1/60 s.
        const coarse = stepRate / 60;
        find("back60").onclick = () => by(-coarse);
        find("back240").onclick = () => by(-1);
        find("next240").onclick = () => by(1);
        find("next60").onclick = () => by(coarse);
        find("back240").textContent = `−1/${stepRate}`;
        find("next240").textContent = `+1/${stepRate}`;
        find("back240").hidden = find("next240").hidden = coarse === 1;
        find("position").step = page.step;
        find("position").max = (steps - 1) * page.step;
        find("marks").onchange = () => showMarks();
        find("position").oninput = event => { play(false); goTo(event.target.valueAsNumber); };
        find("speed").oninput = event => setSpeed(event.target.valueAsNumber);
        // A clicked button, unlike one reached by keyboard, leaves the space bar to playback.
        document.addEventListener("click", event => { if (event.detail) event.target.closest("button")?.blur(); });

        const keys = {
          " ": event => { if (!event.repeat) play(!playing); }, ArrowLeft: event => by(event.shiftKey ? -coarse : -1),
          ArrowRight: event => by(event.shiftKey ? coarse : 1),
          Home: () => { play(false); goTo(0); }, End: () => { play(false); goTo((steps - 1) * page.step); }, "-": () => setSpeed(exponent - 1), "−": () => setSpeed(exponent - 1),
          "+": () => setSpeed(exponent + 1), "=": () => setSpeed(exponent + 1),
          l: () => { if (page.languages.length > 1) { language = 1 - language; build(); } },
        };
        document.addEventListener("keydown", event => {
          if (event.ctrlKey || event.altKey || event.metaKey || !find("listens").checked) return;
          const target = event.target, key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
          // The focused element comes first: sliders and wide tables use the arrows, buttons and
          // boxes the space bar.
          const isSlider = target.type === "range" && /^(Arrow|Home|End)/.test(key);
          const isPressed = key === " " && (target.tagName === "BUTTON" || target.type === "checkbox");
          const isScrolled = target.classList?.contains("wide") && target.scrollWidth > target.clientWidth && /^Arrow/.test(key);
          if (isSlider || isPressed || isScrolled) return;
          // Phases are numbered from 1; 0 is the tenth.
          const phase = /^[0-9]$/.test(key) ? page.phases[(Number(key) + 9) % 10] : undefined;
          const action = keys[key] ?? (phase ? () => goTo(phase.first) : null);
          if (!action) return;
          event.preventDefault();
          action(event);
        });

        // As large as possible in whole pixels of the screen, so that the browser does not scale
        // the canvas.
        let room = 0;
        const fit = () => {
          const width = find("area").clientWidth, height = Math.min(Math.max(innerHeight * 0.5, 200), 560);
          if (room === `${width} ${height} ${devicePixelRatio}`) return;
          room = `${width} ${height} ${devicePixelRatio}`;
          const scale = Math.min(width / page.width, height / page.height), canvas = find("frame");
          canvas.width = Math.max(16, Math.min(8192, Math.floor(page.width * scale * devicePixelRatio)));
          canvas.height = Math.max(16, Math.min(8192, Math.floor(page.height * scale * devicePixelRatio)));
          canvas.style.width = `${canvas.width / devicePixelRatio}px`;
          canvas.style.height = `${canvas.height / devicePixelRatio}px`;
          shown = -1;
          show();
        };
        build();
        fit();
        new ResizeObserver(fit).observe(find("area"));
        addEventListener("resize", fit);
        Promise.all(page.images.map((text, index) => createImageBitmap(new Blob([bytesOf(text)], { type: "image/png" }))
          // An image that the browser cannot decode is left out.
          .then(image => { images[index] = image; }, () => {}))).then(() => {
            shown = -1;
            show();
            document.documentElement.dataset.state = "ready";
            if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play(true);
          });
        })();

        """#
}
