"""Counts the faulty clips that `verify` finds, and the correct ones that it accepts.

Usage: mutants.py PROGRAM [PRESET...]. With LOADERVID_VERIFY_ONLY, only tests run whose names
contain its value.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

import clips
import more_cases

program = sys.argv[1]
presets = sys.argv[2:] or ["ci-smoke", "gif", "apng", "webp", "prores", "readme"]
LOADERS = {"qq-mail": (120, 60), "qq": (120, 120), "douyin": (120, 120), "iqiyi": (120, 120), "preloader": (120, 120),
           "jelly": (120, 120), "oneloading": (120, 120), "qq-pull": (120, 120)}
# These loaders move evenly at the end of a cycle, so frames alone reveal a wrong end of the loop.
MOVING = ["qq-mail", "qq", "douyin", "iqiyi"]
FORMATS = ["mp4", "webm", "gif", "png", "webp"]
# Clips, and clips with the expected verdict, by kind.
total = collections.Counter()
found = collections.Counter()
failures = []
# The kinds of faulty clips.
wrong = set()


def verify(path, *options):
    """Runs verify; returns the exit code, the ids of the errors, and the messages."""
    done = subprocess.run([program, "verify", path, "--json", *options], capture_output=True)
    files = json.loads(done.stdout)["files"] if done.stdout else []
    ids = [item["id"] for file in files for item in file["findings"] if item["severity"] == "error"]
    return done.returncode, ids, done.stderr.decode()


def expect(kind, path, wanted, *options, keeps=False):
    """Counts a faulty clip as found if the exit code and one of the wanted findings say so.

    Any finding counts if none is wanted. The file is deleted unless `keeps` is set.
    """
    wrong.add(kind)
    code, ids, messages = verify(path, *options)
    total[kind] += 1
    if code != 0 and (not wanted or set(ids) & set(wanted) or (code == 65 and "unreadable" in wanted)):
        found[kind] += 1
    else:
        add_failure(kind, path, options, code, ids, messages)
    if not keeps:
        os.remove(path)


def accept(kind, path, *options):
    """Counts a correct clip as found if verify reports no error."""
    code, ids, messages = verify(path, *options)
    total[kind] += 1
    if code == 0:
        found[kind] += 1
    else:
        add_failure(kind, path, options, code, ids, messages)


def add_failure(kind, path, options, code, ids, messages):
    name = os.path.basename(path)
    failures.append(f"{kind}: {name} {' '.join(options)}: exit code {code}, {ids} {messages.strip()}")


def seams(frames):
    """Clips with a wrong end of the loop by name, each with the findings to expect."""
    middle = len(frames) // 2
    blank = np.zeros_like(frames[:1])
    blank[:] = frames[0, 0, 0]
    return {
        "dropped": (frames[:-1], ["seam-dropped"]),
        "doubled": (np.concatenate([frames, frames[-1:]]), ["seam-doubled"]),
        "first again": (np.concatenate([frames, frames[:1]]), ["seam-doubled"]),
        "blank": (np.concatenate([frames[:-1], blank]), ["seam-blank", "seam-jumps"]),
        "jumping": (np.concatenate([frames[:-1], frames[middle:middle + 1]]), ["seam-jumps", "seam-blank"]),
        "cut short": (frames[: int(len(frames) * 0.7)], ["seam-jumps", "seam-dropped"]),
    }


def test_seams(scratch):
    for loader, size in LOADERS.items():
        frames = clips.render_frames(program, loader, size, [], scratch)
        against = ["--against", loader, "--size", f"{size[0]}x{size[1]}", "--fps", str(clips.FPS)]
        for extension in FORMATS:
            loop = [] if extension in ("gif", "png", "webp") else ["--looped"]
            path = os.path.join(scratch, f"{loader}.{extension}")
            clips.write(frames, path)
            accept("right clips, alone", path, *loop)
            accept("right clips, against", path, *loop, *against)
            for name, (wrong_frames, ids) in seams(frames).items():
                path = os.path.join(scratch, f"{loader}-{name.replace(' ', '-')}.{extension}")
                if loader in MOVING:
                    clips.write(wrong_frames, path)
                    expect(f"seam {name}, alone", path, ids, *loop)
                clips.write(wrong_frames, path)
                differences = ["expected-frames", "expected-picture", "expected-times"]
                expect(f"seam {name}, against", path, differences, *loop, *against)


def test_alpha(scratch):
    size = LOADERS["qq-mail"]
    frames = clips.render_frames(program, "qq-mail", size, ["--background", "transparent"], scratch)
    against = ["--against", "qq-mail", "--size", f"{size[0]}x{size[1]}", "--fps", str(clips.FPS), "--background",
               "transparent"]
    premultiplied = premultiply(frames)
    opaque = premultiplied.copy()
    opaque[..., 3] = 255
    for extension in ["png", "webp"]:
        path = os.path.join(scratch, f"alpha.{extension}")
        clips.write(frames, path)
        accept("right alpha", path, "--alpha")
        accept("right alpha", path, *against)
        for kind, wrong_frames, ids in [("lost", opaque, ["alpha-missing"]),
                                        ("premultiplied", premultiplied, ["alpha-premultiplied"])]:
            path = os.path.join(scratch, f"{kind}.{extension}")
            clips.write(wrong_frames, path)
            expect(f"alpha {kind}", path, ids, "--alpha")
    clips.write(opaque, os.path.join(scratch, "lost.gif"))
    expect("alpha lost", os.path.join(scratch, "lost.gif"), ["alpha-missing"], "--alpha")
    check_webm_alpha(scratch)


def premultiply(frames):
    result = frames.copy()
    result[..., :3] = (frames[..., :3].astype(int) * frames[..., 3:] // 255).astype(np.uint8)
    return result


def check_webm_alpha(scratch):
    path = os.path.join(scratch, "alpha.webm")
    # Too few edges of small balls survive VP9.
    size = LOADERS["jelly"]
    frames = clips.render_frames(program, "jelly", size, ["--background", "transparent"], scratch)[:50]
    source = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{size[0]}x{size[1]}", "-r",
              str(clips.FPS), "-i", "-"]
    vp9 = ["-c:v", "libvpx-vp9", "-crf", "31", "-b:v", "0", "-cpu-used", "5", "-pix_fmt", "yuva420p",
           "-auto-alt-ref", "0"]
    clips.run(source + clips.TO_709 + vp9 + clips.TAGS + [path], frames.tobytes())
    accept("right alpha", path, "--alpha")
    lost = os.path.join(scratch, "lost.webm")
    clips.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-c:v", "libvpx-vp9", "-crf", "31", "-b:v", "0"]
              + clips.TAGS + [lost])
    expect("alpha lost", lost, ["alpha-missing"], "--alpha")
    clips.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-c", "copy", "-metadata:s:v", "alpha_mode=", lost])
    expect("alpha lost", lost, ["alpha-unmarked"])
    clips.run(source + clips.TO_709 + vp9 + clips.TAGS + [path], premultiply(frames).tobytes())
    expect("alpha premultiplied", path, ["alpha-premultiplied"])


def test_delays(scratch):
    for loader in MOVING:
        size = LOADERS[loader]
        frames = clips.render_frames(program, loader, size, [], scratch)
        count = len(frames)
        against = ["--against", loader, "--size", f"{size[0]}x{size[1]}", "--fps", str(clips.FPS)]
        right = [40] * count
        index = count // 3
        cases = {
            "none": ([0] * count, []),
            "too short": ([10] * count, []),
            "one none": (right[:index] + [0] + right[index + 1:], []),
            "one and a half": (right[:index] + [60] + right[index + 1:], []),
            "one threefold": (right[:index] + [120] + right[index + 1:], []),
            "last threefold": (right[:-1] + [120], []),
            "all too long": ([50] * count, against),
            # Browsers replace very short delays by 100 ms.
            "browsers' 100 ms": ([100] * count, against),
        }
        for extension in ["gif", "png", "webp"]:
            for name, (delays, options) in cases.items():
                path = os.path.join(scratch, f"{loader}-{name.replace(' ', '-')}.{extension}")
                clips.write(frames, path, delays=delays)
                expect("delays", path, [], "--strict", *options)
        # One frame is late by 0.6 frames, or all frames from one on by half a frame.
        for name, shift in [("late", "if(eq(N,12),0.6,0)"), ("stretched", "if(gt(N,12),0.5,0)")]:
            path = os.path.join(scratch, f"{loader}-{name}.mp4")
            clips.run(["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba",
                       "-s", f"{size[0]}x{size[1]}", "-r", str(clips.FPS), "-i", "-", "-vf",
                       clips.TO_709[1] + f",settb=1/12800,setpts='PTS+({shift})*512'", "-fps_mode", "passthrough",
                       "-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart"] + clips.TAGS + [path],
                      frames.tobytes())
            expect("delays", path, [], "--strict")


def test_files(scratch):
    """Truncated files, and videos with missing or conflicting colour tags."""
    frames = clips.render_frames(program, "qq", LOADERS["qq"], [], scratch)
    for extension in FORMATS:
        path = os.path.join(scratch, f"whole.{extension}")
        clips.write(frames, path)
        with open(path, "rb") as file:
            whole = file.read()
        # The last one lacks a single byte.
        for share in [0.02, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 0.97, 0.995, 1]:
            cut = os.path.join(scratch, f"cut-{share}.{extension}")
            with open(cut, "wb") as file:
                file.write(whole[: int(len(whole) * share) - (1 if share == 1 else 0)])
            expect("cut files", cut, ["truncated", "damaged", "unreadable"])
    for extension in ["mp4", "webm"]:
        path = os.path.join(scratch, f"untagged.{extension}")
        clips.write(frames, path, tags=False)
        expect("colour tags", path, ["color-missing"])
        clips.write(frames, path)
        plain = os.path.join(scratch, f"stripped.{extension}")
        if extension == "mp4":
            clips.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-c", "copy", "-bsf:v",
                       "h264_metadata=colour_primaries=2:transfer_characteristics=2", "-movflags", "+faststart",
                       "-color_primaries", "unknown", "-color_trc", "unknown", plain])
            expect("colour tags", plain, ["color-missing", "color-conflict"])
            clips.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-c", "copy", "-bsf:v",
                       "h264_metadata=matrix_coefficients=6", "-movflags", "+faststart", plain])
            expect("colour tags", plain, ["color-conflict"])


def test_presets(scratch):
    """Presets rendered with --verify, and their outputs, which must all be accepted."""
    for preset in presets:
        folder = os.path.join(scratch, os.path.basename(preset))
        preset_file = preset if os.path.exists(preset) else f"presets/{preset}.yaml"
        kind = f"preset {preset}, --verify"
        total[kind] += 1
        batch = subprocess.run(
            [program, "batch", preset_file, "-o", folder, "--progress", "none", "--verify"], capture_output=True)
        if batch.returncode == 0:
            found[kind] += 1
        else:
            failures.append(f"{kind}: exit code {batch.returncode}, {batch.stderr.decode().strip()}")
        for base, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                path = os.path.join(base, name)
                extension = name.rsplit(".", 1)[-1]
                if "/.loadervid" in base or extension not in ("mp4", "mov", "mkv", "webm", "apng", *FORMATS):
                    continue
                accept(f"preset {preset}, alone", path)
                accept(f"preset {preset}, against", path, "--against", preset_file)


def run(test, *arguments):
    if os.environ.get("LOADERVID_VERIFY_ONLY", "") in test.__name__:
        print(test.__name__, file=sys.stderr, flush=True)
        test(*arguments)


def report():
    """Prints the counts by kind, the confusion table and the failures."""
    for kind in total:
        print(f"{kind:28} {found[kind]:4} of {total[kind]:4}")
    print(f"{'':16} {'verify: wrong':>14} {'verify: right':>14}")
    for name, kinds in [("wrong clips", wrong), ("right clips", set(total) - wrong)]:
        passed = sum(found[kind] for kind in kinds)
        count = sum(total[kind] for kind in kinds)
        cells = (passed, count - passed) if name == "wrong clips" else (count - passed, passed)
        print(f"{name:16} {cells[0]:14} {cells[1]:14}")
    for line in failures:
        print(line)


def main():
    with tempfile.TemporaryDirectory() as scratch:
        for test in [test_files, test_alpha, test_delays, test_seams, test_presets]:
            run(test, scratch)
        for test in more_cases.TESTS:
            run(test, program, expect, accept, scratch)
    report()
    sys.exit(1 if failures else 0)


main()
