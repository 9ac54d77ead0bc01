"""Designs as web pages with CSS animations, SVG or canvas, from the parameters that Skia uses too.

Every page has a function `show(seconds)`, which pauses all animations at that time.
"""
import math

from motion import EASINGS

PAGE_TEMPLATE = """<!DOCTYPE html>
<meta charset="utf-8">
<style>
  * {{ margin: 0; box-sizing: border-box; }}
  body {{ width: {page_width}px; height: {page_height}px; background: {background}; overflow: hidden;
         font: 12px sans-serif; color: {ink}; position: relative; }}
  #clock {{ position: absolute; left: 10px; top: 4px; }}
  #battery {{ position: absolute; right: 10px; top: 6px; width: 20px; height: 9px; border: 1px solid {ink}; }}
  #title {{ position: absolute; left: 0; width: 100%; top: 26px; text-align: center; font-weight: bold; }}
  #ok {{ position: absolute; left: 30%; width: 40%; bottom: 8px; height: 24px; background: #007aff; color: white;
        border-radius: 6px; text-align: center; line-height: 24px; }}
  #loader {{ position: absolute; left: {x}px; top: {y}px; width: {width}px; height: {height}px; }}
  #loader * {{ position: absolute; }}
  {style}
</style>
<div id="clock">9:41:00</div><div id="battery"></div><div id="title">Loading</div>
<div id="loader">{content}</div><div id="ok">Cancel</div>
<script>
  {script}
  function show(seconds) {{
    for (const animation of document.getAnimations()) {{
      animation.pause();
      animation.currentTime = 1000 * seconds;
    }}
    if (typeof paint === "function") paint(seconds);
    document.getElementById("clock").textContent = "9:41:" + String(Math.floor(seconds)).padStart(2, "0");
  }}
</script>
"""
# Left, top, right and bottom, in CSS pixels.
MARGIN = (40, 56, 40, 48)


def page(design, style="", content="", script=""):
    """A page with a status bar, a title and a button around the loader."""
    width, height = design.size
    left, top, right, bottom = MARGIN
    ink = "#000000" if design.background == "#ffffff" else "#ffffff"
    return PAGE_TEMPLATE.format(page_width=width + left + right, page_height=height + top + bottom, x=left, y=top,
                                width=width, height=height, background=design.background, ink=ink, style=style,
                                content=content, script=script)


def page_size(design):
    left, top, right, bottom = MARGIN
    return design.size[0] + left + right, design.size[1] + top + bottom


def curve(name):
    """The CSS timing function with a name from `EASINGS`."""
    return "linear" if name == "linear" else "cubic-bezier({}, {}, {}, {})".format(*EASINGS[name])


def disc(name, x, y, radius, color, rest=""):
    """The CSS rule of a disc; `rest` has further declarations."""
    # Chromium aligns boxes with whole pixels, but not the offset of `translate`.
    left, top = math.floor(x - radius), math.floor(y - radius)
    return (f"#{name} {{ left: {left}px; top: {top}px; translate: {x - radius - left}px {y - radius - top}px; "
            f"width: {2 * radius}px; height: {2 * radius}px; "
            f"border-radius: 50%; background: {color}; {rest} }}\n")


def keyframes(name, entries):
    """A CSS @keyframes rule of (percentage, declarations) pairs."""
    return f"@keyframes {name} {{ " + " ".join(f"{at:.6g}% {{ {text} }}" for at, text in entries) + " }\n"


def qq_mail(design, values):
    offset = values["offset"]
    cycle = 6 * values["phase"]
    # Positions at the boundaries of the six phases, in multiples of the offset; the z-index in each
    # pair of phases.
    positions = {"red": [-1, 0, 1, 0, 0, 0, -1], "yellow": [0, 0, -1, 0, 1, 0, 0], "green": [1, 0, 0, 0, -1, 0, 1]}
    depths = {"red": [2, 3, 1], "yellow": [1, 2, 3], "green": [3, 1, 2]}
    radius = values["radius"] + values["strokeWidth"] / 2
    style = ""
    for name in positions:
        delay = values.get(f"{name} delay", 0.0)
        style += disc(name, 60, 30, radius, values[name], f"opacity: {values['opacity']}; animation: "
                      f"{name} {cycle}s {curve(values['ballEasing'])} {delay}s infinite, "
                      f"{name}-depth {cycle}s step-end {delay}s infinite;")
        style += keyframes(name, [(100 * index / 6, f"transform: translateX({offset * position}px)")
                                  for index, position in enumerate(positions[name])])
        style += keyframes(f"{name}-depth", [(100 * index / 3, f"z-index: {depth}")
                                             for index, depth in enumerate(depths[name])])
    return page(design, style, "".join(f'<div id="{name}"></div>' for name in positions))


def iqiyi(design, values):
    period = values["draw"] + values["erase"]
    easing = curve(values["easing"])
    middle = 100 * values["draw"] / period
    color = values["color"]
    style = f"""svg {{ left: 0; top: 0; }}
      #ring {{ fill: none; stroke: {color}; stroke-width: {values['ringWidth']}; stroke-linecap: round;
              animation: ring {period}s {easing} infinite; }}
      #triangle {{ fill: {values['triangleColor'] or color}; stroke: {values['triangleColor'] or color};
                  stroke-width: {values['triangleWidth']}; transform-origin: 60px 60px;
                  animation: turn {period}s linear infinite; }}
      """
    style += keyframes("ring", [(0, "stroke-dasharray: 0 2; stroke-dashoffset: -0.02"),
                                (middle, "stroke-dasharray: 0.96 2; stroke-dashoffset: -0.02"),
                                (100, "stroke-dasharray: 0 2; stroke-dashoffset: -0.98")])
    style += keyframes("turn", [(0, "transform: rotate(0deg)"), (middle, "transform: rotate(0deg)"),
                                (100, "transform: rotate(240deg)")])
    radius = values["triangleRadius"]
    corners = " ".join(f"{60 + radius * x:.4f},{60 + radius * y:.4f}"
                       for x, y in ((1, 0), (-0.5, 0.8660254), (-0.5, -0.8660254)))
    content = f"""<svg width="120" height="120">
      <circle id="ring" cx="60" cy="60" r="{values['ringDiameter'] / 2}" pathLength="1" transform="rotate(-90 60 60)"/>
      <polygon id="triangle" points="{corners}"/></svg>"""
    return page(design, style, content)


CANVAS = """const canvas = document.querySelector("canvas"), context = canvas.getContext("2d");
  const density = window.devicePixelRatio;
  canvas.width *= density;
  canvas.height *= density;
  function begin() {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.scale(density, density);
  }
  """


def canvas_page(design, script):
    """A page with a canvas; the script defines `paint(seconds)`."""
    width, height = design.size
    content = f'<canvas width="{width}" height="{height}" style="width: {width}px; height: {height}px"></canvas>'
    return page(design, "", content, CANVAS + script)


def oneloading(design, values):
    return canvas_page(design, f"""function paint(seconds) {{
      begin();
      const progress = seconds / {values['duration']} % 1;
      context.strokeStyle = "{values['color']}";
      context.lineWidth = {values['lineWidth']};
      context.beginPath();
      context.arc(60, 60, {values['radius']}, Math.PI * (3.5 - 1.5 * progress), Math.PI * (3 - 3 * progress), true);
      context.stroke();
    }}""")


def orbit(design, values):
    return canvas_page(design, f"""function disc(x, y, radius, color) {{
      context.fillStyle = color;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
    }}
    function paint(seconds) {{
      begin();
      const angle = 2 * Math.PI * seconds / {values['turn']};
      disc(60, 60, {values['hubRadius']}, "{values['hub']}");
      disc(60 + {values['distance']} * Math.cos(angle), 60 + {values['distance']} * Math.sin(angle),
           {values['radius']}, "{values['color']}");
    }}""")


def dot(design, values):
    period = 2 * values["half"]
    easing = curve(values["easing"])
    style = disc("dot", values["from"], 50, values["radius"], values["color"],
                 f"animation: dot {period}s {easing} infinite;")
    distance = values["to"] - values["from"]
    style += keyframes("dot", [(0, "transform: none"), (50, f"transform: translateX({distance}px)"),
                               (100, "transform: none")])
    return page(design, style, '<div id="dot"></div>')


def pulse(design, values):
    period = 2 * values["half"]
    easing = curve(values["easing"])
    side = values["side"]
    style = (f"#square {{ left: {50 - side / 2}px; top: {50 - side / 2}px; width: {side}px; height: {side}px; "
             f"border-radius: {values['corner']}px; background: {values['color']}; "
             f"animation: square {period}s {easing} infinite; }}\n")
    small = f"transform: scale({values['small'] / 100}); opacity: {values['faint'] / 100}"
    style += keyframes("square", [(0, "transform: none; opacity: 1"), (50, small),
                                  (100, "transform: none; opacity: 1")])
    return page(design, style, '<div id="square"></div>')


def wave(design, values):
    style = ""
    half = 100 * values["half"] / 1.5
    for index in range(3):
        name = f"dot{index + 1}"
        delay = index * values["delay"] + values.get(f"{name} delay", 0.0)
        style += disc(name, 80 + (index - 1) * values["gap"], 65, values["radius"], values[f"color {index + 1}"],
                      f"animation: rise 1.5s {curve(values['easing'])} {delay}s infinite;")
    style += keyframes("rise", [(0, "transform: none"), (half, f"transform: translateY({-values['rise']}px)"),
                                (2 * half, "transform: none"), (100, "transform: none")])
    shown = [name for name in ("dot1", "dot2", "dot3") if name not in values.get("hidden", ())]
    return page(design, style, "".join(f'<div id="{name}"></div>' for name in shown))


PAGES = {"qq-mail": qq_mail, "iqiyi": iqiyi, "oneloading": oneloading, "orbit": orbit, "dot": dot, "pulse": pulse,
         "wave": wave}
