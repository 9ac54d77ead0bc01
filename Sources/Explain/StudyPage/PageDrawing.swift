/// The JavaScript of a page. This part decodes the data and draws a frame on a canvas.
enum PageScript {
    static let text = [drawing, words, view, player].joined()

    // Reads the output of `NumberColumn` and `SceneCode`, and draws in the order of `SceneDrawing`.
    static let drawing = #"""
        "use strict";
        (() => {
        const page = JSON.parse(document.getElementById("data").textContent);
        // Steps per second. A step is page.step frames.
        const stepRate = page.rate / page.step;
        const bytesOf = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));

        // Columns of numbers: functions from a row to a value.
        const bytes = bytesOf(page.numbers);
        let offset = 0;
        const varint = () => {
          let number = 0, factor = 1, byte;
          do { byte = bytes[offset++]; number += (byte & 127) * factor; factor *= 128; } while (byte > 127);
          return number;
        };
        const signed = () => { const number = varint(); return number % 2 ? -(number + 1) / 2 : number / 2; };
        const column = count => {
          const head = varint(), kind = head % 4, unit = 2 ** -Math.floor(head / 4);
          if (kind === 0) { const value = signed() * unit; return () => value; }
          const values = new Int32Array(count);
          let value = 0, step = 0;
          for (let row = 0; row < count; row++) {
            if (kind === 1) value += signed(); else { step += signed(); value += step; }
            values[row] = value;
          }
          return row => values[row] * unit;
        };

        // The structure of each frame, and its row in that structure.
        const structureOf = new Uint32Array(page.frames), rowOf = new Uint32Array(page.frames);
        const rows = page.structures.map(() => 0);
        for (let run = 0, frame = 0; run < page.runs.length; run += 2) {
          for (let left = page.runs[run + 1]; left > 0; left--, frame++) {
            structureOf[frame] = page.runs[run];
            rowOf[frame] = rows[page.runs[run]]++;
          }
        }
        const structures = page.structures.map((structure, index) => (
          { code: structure.code, columns: Array.from({ length: structure.columns }, () => column(rows[index])) }));
        const readings = page.objects.map(() => [0, 1, 2].map(() => column(page.frames)));
        const images = [];

        // Surfaces for groups that are faded or clipped as a whole, one for each depth.
        const layers = [];
        const layer = (depth, like) => {
          const surface = layers[depth] ??= document.createElement("canvas").getContext("2d");
          if (surface.canvas.width !== like.canvas.width || surface.canvas.height !== like.canvas.height) {
            surface.canvas.width = like.canvas.width;
            surface.canvas.height = like.canvas.height;
          }
          surface.setTransform(1, 0, 0, 1, 0, 0);
          surface.clearRect(0, 0, surface.canvas.width, surface.canvas.height);
          surface.setTransform(like.getTransform());
          return surface;
        };
        const caps = { b: "butt", r: "round", s: "square" }, joins = { m: "miter", r: "round", b: "bevel" };

        const blends = ["source-over", "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn",
          "hard-light", "soft-light", "difference", "exclusion", "hue", "saturation", "color", "luminosity", "lighter",
          "destination-in", "destination-out", "xor"];

        /// Draws a frame over a whole canvas, its points fitted and centred.
        const drawFrame = (canvas, frame) => {
          const context = canvas.getContext("2d");
          const scale = Math.min(canvas.width / page.width, canvas.height / page.height);
          const left = (canvas.width - page.width * scale) / 2, top = (canvas.height - page.height * scale) / 2;
          context.setTransform(1, 0, 0, 1, 0, 0);
          context.clearRect(0, 0, canvas.width, canvas.height);
          context.fillStyle = page.background;
          context.fillRect(0, 0, canvas.width, canvas.height);
          context.save();
          context.setTransform(scale, 0, 0, scale, left, top);
          context.beginPath();
          context.rect(0, 0, page.width, page.height);
          if (left > 0 || top > 0) context.clip();
          const { code, columns } = structures[structureOf[frame]], row = rowOf[frame];
          let letter = 0, number = 0, depth = 0;
          const next = () => columns[number++](row);
          const color = () => `rgb(${next()} ${next()} ${next()} / ${next()})`;
          const dashes = () => {
            const lengths = [];
            letter++;
            while (code[letter++] === "s") lengths.push(next());
            return lengths;
          };
          const paint = context => {
            const kind = code[letter++];
            if (kind === "0") return color();
            const gradient = kind === "1" ? context.createLinearGradient(next(), next(), next(), next())
              : kind === "2" ? context.createRadialGradient(next(), next(), 0, next(), next(), next())
              : context.createConicGradient(next(), next(), next());
            while (code[letter++] === "s") gradient.addColorStop(next(), color());
            return gradient;
          };
          const flatten = surface => {
            surface.save();
            nodes(surface, "E");
            surface.restore();
          };
          const group = context => {
            context.save();
            if (code[letter] === "t") {
              letter++;
              context.transform(next(), next(), next(), next(), next(), next());
            }
            if (code[letter] === "k") {
              letter++;
              nodes(context, "K");
              context.clip();
            }
            const blend = code[letter] === "b" ? blends[code.charCodeAt(letter + 1) - 97] : blends[0];
            if (code[letter] === "b") letter += 2;
            if (code[letter] === "o" || code[letter] === "y") {
              const opacity = code[letter++] === "o" ? next() : 1;
              const sign = code[letter], mask = sign === "M" || sign === "W" ? layer(depth++, context) : null;
              if (mask) {
                letter++;
                flatten(mask);
                mask.setTransform(1, 0, 0, 1, 0, 0);
                mask.globalCompositeOperation = "xor";
                mask.fillStyle = "#000";
                if (sign === "W") mask.fillRect(0, 0, mask.canvas.width, mask.canvas.height);
                mask.globalCompositeOperation = blends[0];
              }
              const surface = layer(depth++, context);
              flatten(surface);
              surface.setTransform(1, 0, 0, 1, 0, 0);
              surface.globalCompositeOperation = "destination-in";
              if (mask) surface.drawImage(mask.canvas, 0, 0);
              surface.globalCompositeOperation = blends[0];
              depth -= mask ? 2 : 1;
              context.setTransform(1, 0, 0, 1, 0, 0);
              context.globalAlpha = opacity;
              context.globalCompositeOperation = blend;
              context.drawImage(surface.canvas, 0, 0);
            } else {
              nodes(context, "E");
            }
            context.restore();
          };
          const nodes = (context, end) => {
            const { a, b, c, d } = context.getTransform();
            const zoom = (Math.hypot(a + d, b - c) + Math.hypot(a - d, b + c)) / 2;
            while (letter < code.length) {
              const name = code[letter++];
              switch (name) {
              case end: return;
              case "p": context.beginPath(); break;
              case "m": context.moveTo(next(), next()); break;
              case "l": context.lineTo(next(), next()); break;
              case "q": context.quadraticCurveTo(next(), next(), next(), next()); break;
              case "c": context.bezierCurveTo(next(), next(), next(), next(), next(), next()); break;
              case "z": context.closePath(); break;
              case "a": case "b": addArc(context, zoom, next(), next(), next(), next(), next()); break;
              case "o": case "u": {
                const x = next(), y = next(), radius = next(), start = next();
                addArc(context, zoom, x, y, radius, start, start + (name === "o" ? 2 : -2) * Math.PI);
                break;
              }
              case "F": context.fillStyle = paint(context); context.fill(); break;
              case "f": context.fillStyle = paint(context); context.fill("evenodd"); break;
              case "S":
                context.lineCap = caps[code[letter++]];
                context.lineJoin = joins[code[letter++]];
                context.miterLimit = code[letter] === "L" ? (letter++, next()) : 10;
                context.setLineDash(code[letter] === "d" ? dashes() : []);
                context.lineDashOffset = context.getLineDash().length ? next() : 0;
                context.lineWidth = next();
                context.strokeStyle = paint(context);
                if (context.lineWidth > 0) context.stroke();
                break;
              case "G": group(context); break;
              case "i": drawImage(context, next(), next(), next(), next(), next()); break;
              case "x": drawText(context, next(), next(), next(), next(), next(), next(), color()); break;
              }
            }
          };
          nodes(context, "");
          context.restore();
        };

        /// An arc as a polygon that strays from it by a hundredth of a pixel: Chromium's own arcs may by a third of one.
        const addArc = (context, zoom, x, y, radius, start, end) => {
          const turn = Math.sign(end - start) * 2 * Math.PI;
          const turns = Math.floor(Math.abs(end - start) / (2 * Math.PI) + 1e-9);
          const sweep = end - start - (turns > 1 ? (turns - 1) * turn : 0);
          const corners = Math.max(1, Math.ceil(Math.abs(sweep) * Math.sqrt(Math.max(radius * zoom, 1) / 0.08)));
          for (let corner = 0; corner <= corners; corner++) {
            const angle = start + sweep * corner / corners;
            context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
          }
        };

        /// An image that fills its frame without distortion, clipped to the frame.
        const drawImage = (context, index, x, y, width, height) => {
          const image = images[index];
          if (!image || !(width > 0) || !(height > 0)) return;
          const scale = Math.max(width / image.width, height / image.height);
          const [across, down] = [width / scale, height / scale];
          context.imageSmoothingQuality = "high";
          context.drawImage(
            image, (image.width - across) / 2, (image.height - down) / 2, across, down, x, y, width, height);
        };

        /// Lines in the browser's fonts; one that is too long ends in an ellipsis.
        const drawText = (context, index, x, y, width, height, size, color) => {
          const style = page.texts[index];
          context.save();
          context.beginPath();
          context.rect(x, y, width, height);
          context.clip();
          const font = size => `${style.bold ? "bold " : ""}${size}px ${style.mono ? "monospace" : "sans-serif"}`;
          context.fillStyle = color;
          // Measured at 100 pixels, because browsers round the widths of small text.
          context.font = font(100);
          const measure = text => context.measureText(text).width * size / 100;
          const metrics = context.measureText("x");
          const above = metrics.fontBoundingBoxAscent * size / 100, below = metrics.fontBoundingBoxDescent * size / 100;
          style.string.split("\n").forEach((text, line) => {
            let letters = Array.from(text);
            context.font = font(100);
            while (letters.length > 1 && measure(letters.join("")) > width) {
              letters = [...letters.slice(0, letters.at(-1) === "…" ? -2 : -1), "…"];
            }
            text = letters.join("");
            const rest = width - measure(text);
            const shift = style.align === "left" ? 0 : style.align === "right" ? rest : rest / 2;
            context.font = font(size);
            context.fillText(text, x + shift, y + above + line * (above + below));
          });
          context.restore();
        };

        """#
}
