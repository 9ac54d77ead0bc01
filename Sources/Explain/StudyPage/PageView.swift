extension PageScript {
    // The elements that do not change during playback. They are rebuilt when the language changes.
    static let view = #"""
        const find = id => document.getElementById(id);
        const make = (name, properties = {}, ...children) => {
          const element = Object.assign(document.createElement(name), properties);
          element.append(...children);
          return element;
        };
        const vectors = make("div", { innerHTML: "<svg></svg>" }).firstChild.namespaceURI;
        const draw = (name, attributes, ...children) => {
          const element = document.createElementNS(vectors, name);
          for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
          element.append(...children);
          return element;
        };
        let language = Math.max(0, page.languages.findIndex(
          known => known.slice(0, 2) === navigator.language.slice(0, 2).toLowerCase()));
        const word = key => words[page.languages[language]][key];
        const said = texts => texts[language];
        const swatch = object => make("span", { className: "swatch", style: `background: var(--o${object})` });
        const named = page.phases.length < 7;

        // Colours of objects, by the surroundings' brightness.
        const colors = shade => page.objects.map((object, index) => `--o${index}: ${object[shade]};`).join(" ");
        // The page's policy allows only its own style sheet, but scripts may add rules to it.
        const sheet = document.styleSheets[0];
        for (const rule of [`:root { ${colors("light")} }`, `@media (prefers-color-scheme: dark) { :root { ${colors("dark")} } }`]) {
          sheet.insertRule(rule, sheet.cssRules.length);
        }

        const buildLanguages = () => {
          if (page.languages.length < 2) return;
          const names = { en: "English", "zh-Hans": "中文" };
          find("languages").replaceChildren(...page.languages.map((known, index) => {
            const button = make("button", { textContent: names[known], lang: known, onclick: () => speak(index) });
            button.setAttribute("aria-pressed", index === language);
            return button;
          }));
        };

        const buildPhases = () => {
          const list = find("phases");
          list.classList.toggle("named", named);
          list.replaceChildren(...page.phases.map((phase, index) => {
            const title = `${index + 1}: ${said(phase.name)}`;
            const button = make("button", { textContent: named ? title : index + 1, title, onclick: () => goTo(phase.first) });
            if (!named) button.setAttribute("aria-label", title);
            return button;
          }));
        };

        const head = (...titles) => make("thead", {}, make("tr", {}, ...titles.map(
          ([title, isNumber]) => make("th", { textContent: title, scope: "col", className: isNumber ? "number" : "" }))));

        const buildReadout = () => {
          if (page.objects.length === 0) { find("readout").hidden = find("marking").hidden = true; return; }
          const body = make("tbody", {}, ...page.objects.map((object, index) => make("tr", {},
            make("th", { scope: "row" }, swatch(index), said(object.title)),
            ...[0, 1, 2].map(() => make("td", { className: "number" })))));
          const titles = [[word("object"), false], ["x (pt)", true], ["y (pt)", true], ["|v| (pt/s)", true]];
          find("readout").replaceChildren(make("table", {}, head(...titles), body));
          for (const spot of document.querySelectorAll(".spot")) spot.remove();
          find("canvas").append(...page.objects.map(
            (_, index) => make("div", { className: "spot", style: `background: var(--o${index})` })));
        };

        const buildTable = () => {
          const titles = [[word("phase"), false], [word("start"), true], [word("duration"), true],
            ...page.objects.map(object => [said(object.title), false])];
          const body = make("tbody", {}, ...page.phases.map((phase, index) => make("tr", {},
            make("th", { scope: "row" },
              make("button", { textContent: `${index + 1}: ${said(phase.name)}`, onclick: () => goTo(phase.first) })),
            make("td", { className: "number", textContent: phase.start }),
            make("td", { className: "number", textContent: phase.duration }),
            ...phase.courses.map(course => {
              const cell = make("td", { className: "way", textContent: said(course.way) });
              if (course.step !== undefined) {
                cell.append(make("small", { textContent: `${word("step")} ${course.step} (${sign(course.direction)})` }));
              }
              return cell;
            }))));
          const table = make("table", {}, head(...titles), body);
          table.querySelectorAll("thead th").forEach((cell, index) => { if (index > 2) cell.prepend(swatch(index - 3)); });
          find("table").replaceChildren(table);
          find("displacements").textContent =
            page.displacements ? `${word("displacements")} ${page.displacements.map(sign).join(", ")}` : "";
        };
        const sign = number => number === undefined ? "" : number > 0 ? `+${number}` : `${number}`.replace("-", "−");

        // In SVG's coordinates a chart is 10,000 wide and 1,000 high.
        const plot = (chart, index) => {
          const rules = chart.marks.map(mark => `M0 ${mark.position * 1000}H10000`).join("");
          const borders = page.phases.slice(1).map(phase => `M${phase.position * 10000} 0V1000`).join("");
          const curves = chart.curves.map(curve => {
            const path = draw("path", { class: "curve", d: curve.path });
            path.style.stroke = `var(--o${curve.object})`;
            return path;
          });
          const box = make("div", { className: "plot" },
            draw("svg", { viewBox: "0 0 10000 1000", preserveAspectRatio: "none", role: "img" },
              draw("path", { class: "rule", d: rules }), draw("path", { class: "border", d: borders }), ...curves));
          const names = chart.curves.map(curve => said(page.objects[curve.object].title)).join(", ");
          box.firstChild.setAttribute("aria-label", `${word("chart")} ${said(chart.title)} (${names})`);
          box.append(...chart.marks.map(mark => make("span", { className: "mark", textContent: mark.text, style: `top: ${mark.position * 100}%` })));
          box.append(make("div", { className: "head" }));
          // The times of each piece of a curve: between them, the object is invisible.
          for (const curve of chart.curves) {
            curve.spans = curve.path.split("M").slice(1).map(piece => {
              const times = piece.split("L").map(parseFloat);
              return [times[0], times.at(-1)];
            });
          }
          // The drawn part of a stroke has no readings.
          const dotted = chart.quantity === "drawn" ? [] : chart.curves;
          chart.dots = dotted.map(curve => make("div", { className: "dot", style: `background: var(--o${curve.object})` }));
          box.append(...chart.dots);
          box.onpointerdown = event => { play(false); box.setPointerCapture(event.pointerId); follow(box, event); };
          box.onpointermove = event => { if (event.buttons) follow(box, event); };
          return make("figure", { id: `chart-${chart.quantity}` }, make("figcaption", { textContent: said(chart.title) }), box);
        };
        const follow = (box, event) => {
          const { left, width } = box.getBoundingClientRect();
          const share = Math.min(Math.max((event.clientX - left) / width, 0), 1);
          goTo(Math.min(Math.floor(share * length), page.frames - 1));
        };

        const buildCharts = () => {
          if (page.charts.length === 0) { find("charts").replaceChildren(make("p", { textContent: word("still") })); return; }
          const times = make("div", { className: "times" }, ...page.times.map(time => make("span", {
            textContent: time.text, className: time.position > 0.97 ? "last" : "", style: `left: ${time.position * 100}%` })));
          find("charts").replaceChildren(
            ...page.charts.map(plot), times, make("figcaption", { textContent: word("time") }));
        };

        const buildKeys = () => find("list").replaceChildren(...word("list").filter(([keys]) => keys !== "L" || page.languages.length > 1).map(([keys, text]) => {
          const names = keys.split(" ").map(key => key === "…" ? "…" : make("kbd", { textContent: key }));
          return make("div", {}, make("dt", {}, ...names.flatMap((name, index) => index ? [" ", name] : [name])),
            make("dd", { textContent: text }));
        }));

        const number = value => `${Math.round(value * 100) / 100}`.replace("-", "−");
        const build = () => {
          document.documentElement.lang = page.languages[language];
          document.title = said(page.title);
          find("title").textContent = said(page.title);
          find("about").textContent = [
            word("about")(page.id, number(page.width), number(page.height), page.periodText), ...page.settings].join(" · ");
          find("frame").setAttribute("aria-label", said(page.title));
          find("made").textContent = document.querySelector("meta[name=generator]").content;
          for (const element of document.querySelectorAll("[data-text]")) element.textContent = word(element.dataset.text);
          for (const element of document.querySelectorAll("[data-label]")) {
            element.setAttribute("aria-label", word(element.dataset.label));
          }
          for (const make of [buildLanguages, buildPhases, buildReadout, buildCharts, buildTable, buildKeys]) make();
          showSpeed();
          shown = -1;
          show();
        };
        const speak = index => { language = index; build(); find("languages").children[index]?.focus(); };

        """#
}
