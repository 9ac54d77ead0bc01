"""More correct and faulty clips: encoders at several qualities, slightly wrong parameters, wrong
frame orders and headers, invalid GIFs, and files of other programs.

Each test is called with the program, the functions `expect` and `accept` of mutants.py, and a
scratch directory.
"""
import itertools
import os
import struct

import numpy as np

import clips

SIZES = {"qq-mail": (240, 120), "iqiyi": (120, 120), "qq": (120, 240)}
# Settings that are slightly wrong, by loader.
PARAMETERS = {
    "qq-mail": ["radius=5.5", "radius=7", "opacity=0.7", "red=#ff3030", "green=#00e000", "yellow=#ffe000", "offset=29",
                "offset=33", "strokeWidth=0.5", "strokeWidth=1.5", "ticksPerPhase=31"],
    "iqiyi": ["color=#40b83b", "ringDiameter=68", "ringDiameter=72", "ringWidth=6", "ringWidth=8", "ringWidth=6.5",
              "triangleRadius=19", "triangleRadius=21", "triangleWidth=1", "triangleWidth=3", "duration=0.63"],
    "qq": ["color=#65d8fa", "color=#85c8fa", "topRadius=14", "topRadius=16", "topRadius=14.5", "bottomRadius=11",
           "bottomRadius=13", "dropStroke=1.5", "dropStroke=2", "radius=5", "opacity=0.6"],
}
ENCODERS = {
    "h264-18.mp4": ["-c:v", "libx264", "-crf", "18"], "h264-38.mp4": ["-c:v", "libx264", "-crf", "38"],
    "fast-30.mp4": ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "30"],
    "hevc-28.mp4": ["-c:v", "libx265", "-crf", "28", "-x265-params", "log-level=none"],
    "hevc-38.mp4": ["-c:v", "libx265", "-crf", "38", "-x265-params", "log-level=none"],
    "vp9-31.webm": ["-c:v", "libvpx-vp9", "-crf", "31", "-b:v", "0", "-cpu-used", "5"],
    "vp9-45.webm": ["-c:v", "libvpx-vp9", "-crf", "45", "-b:v", "0", "-cpu-used", "5"],
    "av1-45.mp4": ["-c:v", "libaom-av1", "-crf", "45", "-cpu-used", "8"],
}
PALETTES = {"256.gif": "max_colors=256", "16.gif": "max_colors=16", "8.gif": "max_colors=8"}
# Options of ffmpeg for files as other programs write them.
PROGRAMS = {
    "plain.mp4": ["-c:v", "libx264"], "plain.mkv": ["-c:v", "libx264"], "plain.mov": ["-c:v", "libx264"],
    "open.mp4": ["-c:v", "libx264", "-g", "12", "-bf", "3", "-x264-params", "open-gop=1:scenecut=0"],
    "open.mkv": ["-c:v", "libx264", "-g", "12", "-bf", "3", "-x264-params", "open-gop=1:scenecut=0"],
    "hevc.mkv": ["-c:v", "libx265", "-x265-params", "open-gop=1:keyint=12:log-level=none"],
    "mpeg2.mkv": ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-b:v", "2M"],
    "mpeg2.mov": ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-b:v", "2M"],
    "vp8.webm": ["-c:v", "libvpx", "-b:v", "300k"],
    "vp9.webm": ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-b:v", "300k"],
    "30.mp4": ["-r", "30", "-c:v", "libx264"],
    "fragments.mp4": ["-c:v", "libx264", "-movflags", "frag_keyframe+empty_moov"],
    "sound.mp4": ["-f", "lavfi", "-i", "sine=duration=3", "-map", "0:v", "-map", "1:a", "-c:v", "libx264",
                  "-c:a", "aac"],
    "sound.webm": ["-f", "lavfi", "-i", "sine=duration=3", "-map", "0:v", "-map", "1:a", "-c:v", "libvpx-vp9",
                   "-cpu-used", "8", "-c:a", "libopus"],
    "plain.gif": [], "plain.apng": ["-plays", "0"], "plain.webp": ["-c:v", "libwebp_anim", "-loop", "0"],
}


def source(program, loader, fps, scratch):
    """Encodes a loader losslessly; returns the path and the options for verifying against it."""
    path = os.path.join(scratch, f"{loader}-{fps}.mkv")
    width, height = SIZES[loader]
    clips.run([program, "encode", loader, "--size", f"{width}x{height}", "--fps", str(fps), "--codec", "ffv1",
               "--pixel-format", "bgra", "--progress", "none", "--force", "-o", path])
    return path, ["--against", loader, "--size", f"{width}x{height}", "--fps", str(fps)]


def encode(path, out, options):
    faststart = ["-movflags", "+faststart"] if out.endswith("mp4") else []
    clips.run(["ffmpeg", "-v", "error", "-y", "-i", path] + clips.TO_709 + ["-pix_fmt", "yuv420p"] + options
              + clips.TAGS + faststart + [out])


def test_parameters(program, expect, accept, scratch):
    """Every encoding must match its loader, and not the loader with slightly wrong parameters."""
    for loader, settings in PARAMETERS.items():
        path, against = source(program, loader, 30, scratch)
        outputs = {}
        for name, options in ENCODERS.items():
            outputs[name] = os.path.join(scratch, f"{loader}-{name}")
            encode(path, outputs[name], options)
        for name, palette in PALETTES.items():
            outputs[name] = os.path.join(scratch, f"{loader}-{name}")
            clips.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-filter_complex",
                       f"split[a][b];[a]palettegen={palette}[p];[b][p]paletteuse=dither=bayer", outputs[name]])
        for name, out in outputs.items():
            accept("right encodings, against", out, *against)
        for setting, name in itertools.product(settings, ["h264-18.mp4", "256.gif"]):
            expect(f"wrong parameter, {name}", outputs[name], [], *against, "--set", setting, keeps=True)


def wrong_orders(frames, index):
    """Clips with missing, swapped or torn frames by name, each with the findings to expect."""
    swapped = frames.copy()
    torn = frames.copy()
    swapped[[index, index + 1]] = frames[[index + 1, index]]
    moving = np.nonzero(np.abs(frames[index].astype(int) - frames[index + 1]).sum((1, 2)) > 50)[0]
    middle = int(np.median(moving))
    torn[index][middle:] = frames[index + 1][middle:]
    cases = {}
    for count in (1, 2, 3):
        remaining = np.concatenate([frames[: index + 1], frames[index + 1 + count:]])
        cases[f"{count} missing"] = (remaining, ["picture-missing"])
    cases["swapped"] = (swapped, ["picture-swapped"])
    cases["torn"] = (torn, ["picture-torn"])
    return cases


def test_order(program, expect, accept, scratch):
    for loader in ("qq-mail", "iqiyi"):
        path, _ = source(program, loader, 60, scratch)
        width, height = SIZES[loader]
        raw = clips.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgba", "-"])
        frames = np.frombuffer(raw, np.uint8).reshape(-1, height, width, 4).copy()
        for index in (20, 50):
            for name, (wrong_frames, ids) in wrong_orders(frames, index).items():
                out = os.path.join(scratch, f"{loader}-{index}-{name.replace(' ', '-')}.mp4")
                clips.write(wrong_frames, out, fps=60)
                expect(f"order, {name}", out, ids)


def with_doubled_duration(data, code, offset):
    """Doubles the 32-bit duration at an offset from the name of an MP4 box."""
    start = data.index(code) + offset
    value = struct.unpack(">I", data[start:start + 4])[0]
    return data[:start] + struct.pack(">I", 2 * value) + data[start + 4:]


def test_headers(program, expect, accept, scratch):
    """Wrong durations in headers, alone and with a wrong pixel aspect ratio or audio length."""
    path, _ = source(program, "qq-mail", 30, scratch)
    base = os.path.join(scratch, "base.mp4")
    wide = os.path.join(scratch, "wide.mp4")
    encode(path, base, ENCODERS["h264-18.mp4"])
    clips.run(["ffmpeg", "-v", "error", "-y", "-i", base, "-c", "copy", "-aspect", "4:1", "-movflags", "+faststart",
               wide])
    long = os.path.join(scratch, "long.mp4")
    clips.run(["ffmpeg", "-v", "error", "-y", "-i", base, "-f", "lavfi", "-i", "sine=duration=6", "-c:v", "copy",
               "-c:a", "aac", "-movflags", "+faststart", long])
    for name, start, ids in [("headers", base, []), ("headers and aspect", wide, ["pixel-aspect"]),
                             ("headers and sound", long, ["audio-length"])]:
        with open(start, "rb") as file:
            whole = file.read()
        for code, offset in [(b"mvhd", 20), (b"tkhd", 24), (b"mdhd", 20)]:
            out = os.path.join(scratch, f"{code.decode()}.mp4")
            with open(out, "wb") as file:
                file.write(with_doubled_duration(whole, code, offset))
            expect(name, out, ["header-duration"] + ids)
    expect("pixel aspect", wide, ["pixel-aspect"])
    expect("sound", long, ["audio-length"])


def test_gif(program, expect, accept, scratch):
    """GIFs with invalid bytes in the last image or with a screen smaller than the images."""
    path, _ = source(program, "qq-mail", 25, scratch)
    right = os.path.join(scratch, "right.gif")
    clips.run(["ffmpeg", "-v", "error", "-y", "-i", path, right])
    accept("right GIF", right)
    with open(right, "rb") as file:
        whole = file.read()
    # An image descriptor (0x2C) follows a graphic control extension.
    images = [index for index in range(len(whole) - 10)
              if whole[index] == 0x2C and whole[index - 8:index - 5] == b"\x21\xf9\x04"]
    last = images[-1]
    local_palette = 0 if whole[last + 9] < 128 else 3 << ((whole[last + 9] & 7) + 1)
    # The minimum code size, a byte, comes before the compressed data.
    code_size = last + 10 + local_palette
    cases = {"screen": whole[:6] + struct.pack("<H", 100) + whole[8:],
             "code size": whole[:code_size] + b"\x0c" + whole[code_size + 1:],
             "codes": whole[:code_size + 2] + b"\xff" * 8 + whole[code_size + 10:],
             "no data": whole[:code_size + 1] + b"\0;", "no trailer": whole[:-1]}
    for name, data in cases.items():
        out = os.path.join(scratch, f"{name.replace(' ', '-')}.gif")
        with open(out, "wb") as file:
            file.write(data)
        expect(f"GIF, {name}", out, ["gif-invalid", "truncated", "damaged", "unreadable"])


def test_programs(program, expect, accept, scratch):
    """Test patterns of ffmpeg in formats of other programs, which must all be accepted."""
    for pattern in ("testsrc", "mandelbrot", "testsrc2"):
        path = os.path.join(scratch, "pattern.mkv")
        clips.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"{pattern}=size=160x120:rate=25", "-t", "3",
                   "-c:v", "ffv1", path])
        for name, options in PROGRAMS.items():
            out = os.path.join(scratch, f"{pattern}-{name}")
            extension = name.rsplit(".", 1)[1]
            colors = [] if extension in ("gif", "apng", "webp") else ["-pix_fmt", "yuv420p"] + clips.TAGS
            clips.run(["ffmpeg", "-v", "error", "-y", "-i", path] + options + colors + [out])
            accept("other programs", out)


TESTS = [test_parameters, test_order, test_headers, test_gif, test_programs]
