"""Counts what `verify` finds of clips that are wrong in one way, and what it finds of right ones."""
import collections
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

import clips
import judging

program, presets = sys.argv[1], sys.argv[2:] or ["ci-smoke", "gif", "apng", "webp", "prores", "readme"]
LOADERS = {"qq-mail": (120, 60), "qq": (120, 120), "douyin": (120, 120), "iqiyi": (120, 120), "preloader": (120, 120),
           "jelly": (120, 120), "oneloading": (120, 120), "qq-pull": (120, 120)}
# At the end of their cycle these move evenly, so that the pictures alone tell.
MOVING = ["qq-mail", "qq", "douyin", "iqiyi"]
FORMATS = ["mp4", "webm", "gif", "png", "webp"]
total, found, failures = collections.Counter(), collections.Counter(), []
# The kinds of clips that are wrong.
wrong = set()


def verify(path, *options):
    done = subprocess.run([program, "verify", path, "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    files = json.loads(done.stdout)["files"] if done.stdout else []
    ids = [item["id"] for file in files for item in file["findings"] if item["severity"] == "error"]
    return done.returncode, ids, done.stderr.decode()


def expect(kind, path, wanted, *options, keeps=False):
    """Counts a wrong clip as found if the exit code says so, and one of the wanted findings is there."""
    wrong.add(kind)
    code, ids, words = verify(path, *options)
    total[kind] += 1
    if code != 0 and (not wanted or set(ids) & set(wanted) or (code == 65 and "unreadable" in wanted)):
        found[kind] += 1
    else:
        failures.append(f"{kind}: {os.path.basename(path)} {' '.join(options)}: exit code {code}, {ids} {words.strip()}")
    if not keeps:
        os.remove(path)


def accept(kind, path, *options):
    """Counts a right clip as found if nothing is said to be wrong."""
    code, ids, words = verify(path, *options)
    total[kind] += 1
    if code == 0:
        found[kind] += 1
    else:
        failures.append(f"{kind}: {os.path.basename(path)} {' '.join(options)}: exit code {code}, {ids} {words.strip()}")


def seams(frames):
    """Wrong ends of a loop, by name, with what should be said of them."""
    middle, blank = len(frames) // 2, np.zeros_like(frames[:1])
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
        frames = clips.pictures(program, loader, size, [], scratch)
        against = ["--against", loader, "--size", f"{size[0]}x{size[1]}", "--fps", str(clips.FPS)]
        for ending in FORMATS:
            loop = [] if ending in ("gif", "png", "webp") else ["--looped"]
            path = os.path.join(scratch, f"{loader}.{ending}")
            clips.write(frames, path)
            accept("right clips, alone", path, *loop)
            accept("right clips, against", path, *loop, *against)
            for name, (pictures, ids) in seams(frames).items():
                path = os.path.join(scratch, f"{loader}-{name.replace(' ', '-')}.{ending}")
                if loader in MOVING:
                    clips.write(pictures, path)
                    expect(f"seam {name}, alone", path, ids, *loop)
                clips.write(pictures, path)
                expect(f"seam {name}, against", path, ["expected-frames", "expected-picture", "expected-times"], *loop, *against)


def test_alpha(scratch):
    size = LOADERS["qq-mail"]
    frames = clips.pictures(program, "qq-mail", size, ["--background", "transparent"], scratch)
    against = ["--against", "qq-mail", "--size", f"{size[0]}x{size[1]}", "--fps", str(clips.FPS), "--background",
               "transparent"]
    flat = frames.copy()
    flat[..., :3] = (flat[..., :3].astype(int) * flat[..., 3:] // 255).astype(np.uint8)
    fringes = flat.copy()
    flat[..., 3] = 255
    for ending in ["png", "webp"]:
        path = os.path.join(scratch, f"alpha.{ending}")
        clips.write(frames, path)
        accept("right alpha", path, "--alpha")
        accept("right alpha", path, *against)
        for kind, pictures, ids in [("lost", flat, ["alpha-missing"]), ("premultiplied", fringes, ["alpha-premultiplied"])]:
            path = os.path.join(scratch, f"{kind}.{ending}")
            clips.write(pictures, path)
            expect(f"alpha {kind}", path, ids, "--alpha")
    clips.write(flat, os.path.join(scratch, "lost.gif"))
    expect("alpha lost", os.path.join(scratch, "lost.gif"), ["alpha-missing"], "--alpha")
    path = os.path.join(scratch, "alpha.webm")
    # Small balls have few edges that survive VP9.
    size = LOADERS["jelly"]
    frames = clips.pictures(program, "jelly", size, ["--background", "transparent"], scratch)[:50]
    fringes = frames.copy()
    fringes[..., :3] = (frames[..., :3].astype(int) * frames[..., 3:] // 255).astype(np.uint8)
    source = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{size[0]}x{size[1]}", "-r",
              str(clips.FPS), "-i", "-"]
    vp9 = ["-c:v", "libvpx-vp9", "-crf", "31", "-b:v", "0", "-cpu-used", "5", "-pix_fmt", "yuva420p", "-auto-alt-ref", "0"]
    for kind, pictures in [("right", frames), ("premultiplied", fringes)]:
        clips.run(source + clips.TO_709 + vp9 + clips.TAGS + [path], pictures.tobytes())
        if kind == "right":
            accept("right alpha", path, "--alpha")
            lost = os.path.join(scratch, "lost.webm")
            clips.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-c:v", "libvpx-vp9", "-crf", "31", "-b:v", "0"]
                      + clips.TAGS + [lost])
            expect("alpha lost", lost, ["alpha-missing"], "--alpha")
            clips.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-c", "copy", "-metadata:s:v", "alpha_mode=", lost])
            expect("alpha lost", lost, ["alpha-unmarked"])
        else:
            expect("alpha premultiplied", path, ["alpha-premultiplied"])


def test_delays(scratch):
    for loader in MOVING:
        size = LOADERS[loader]
        frames = clips.pictures(program, loader, size, [], scratch)
        count = len(frames)
        against = ["--against", loader, "--size", f"{size[0]}x{size[1]}", "--fps", str(clips.FPS)]
        usual, place = [40] * count, count // 3
        cases = {
            "none": ([0] * count, []), "too short": ([10] * count, []), "one none": (usual[:place] + [0] + usual[place + 1:], []),
            "one and a half": (usual[:place] + [60] + usual[place + 1:], []),
            "one threefold": (usual[:place] + [120] + usual[place + 1:], []),
            "last threefold": (usual[:-1] + [120], []),
            "all too long": ([50] * count, against), "browsers' 100 ms": ([100] * count, against),
        }
        for ending in ["gif", "png", "webp"]:
            for name, (delays, options) in cases.items():
                path = os.path.join(scratch, f"{loader}-{name.replace(' ', '-')}.{ending}")
                clips.write(frames, path, delays=delays)
                expect("delays", path, [], "--strict", *options)
        for name, shift in [("late", "if(eq(N,12),0.6,0)"), ("stretched", "if(gt(N,12),0.5,0)")]:
            path = os.path.join(scratch, f"{loader}-{name}.mp4")
            clips.run(["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{size[0]}x{size[1]}",
                       "-r", str(clips.FPS), "-i", "-", "-vf",
                       clips.TO_709[1] + f",settb=1/12800,setpts='PTS+({shift})*512'", "-fps_mode", "passthrough", "-c:v",
                       "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart"] + clips.TAGS + [path], frames.tobytes())
            expect("delays", path, [], "--strict")


def test_files(scratch):
    frames = clips.pictures(program, "qq", LOADERS["qq"], [], scratch)
    for ending in FORMATS:
        path = os.path.join(scratch, f"whole.{ending}")
        clips.write(frames, path)
        with open(path, "rb") as file:
            whole = file.read()
        for share in [0.02, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 0.97, 0.995, 1]:
            cut = os.path.join(scratch, f"cut-{share}.{ending}")
            with open(cut, "wb") as file:
                file.write(whole[: int(len(whole) * share) - (1 if share == 1 else 0)])
            expect("cut files", cut, ["truncated", "damaged", "unreadable"])
    for ending in ["mp4", "webm"]:
        path = os.path.join(scratch, f"untagged.{ending}")
        clips.write(frames, path, tags=False)
        expect("colour tags", path, ["color-missing"])
        clips.write(frames, path)
        plain = os.path.join(scratch, f"stripped.{ending}")
        if ending == "mp4":
            clips.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-c", "copy", "-bsf:v",
                       "h264_metadata=colour_primaries=2:transfer_characteristics=2", "-movflags", "+faststart", "-color_primaries",
                       "unknown", "-color_trc", "unknown", plain])
            expect("colour tags", plain, ["color-missing", "color-conflict"])
            clips.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-c", "copy", "-bsf:v",
                       "h264_metadata=matrix_coefficients=6", "-movflags", "+faststart", plain])
            expect("colour tags", plain, ["color-conflict"])


def test_presets(scratch):
    for preset in presets:
        folder = os.path.join(scratch, os.path.basename(preset))
        preset_file = preset if os.path.exists(preset) else f"presets/{preset}.yaml"
        kind = f"preset {preset}, --verify"
        total[kind] += 1
        made = subprocess.run([program, "batch", preset_file, "-o", folder, "--progress", "none", "--verify"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if made.returncode == 0:
            found[kind] += 1
        else:
            failures.append(f"{kind}: exit code {made.returncode}, {made.stderr.decode().strip()}")
        for base, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                path = os.path.join(base, name)
                if "/.loadervid" in base or name.rsplit(".", 1)[-1] not in ("mp4", "mov", "mkv", "webm", "apng", *FORMATS):
                    continue
                accept(f"preset {preset}, alone", path)
                accept(f"preset {preset}, against", path, "--against", preset_file)


def run(name, test):
    if only in name:
        print(name, file=sys.stderr, flush=True)
        test()


only = os.environ.get("LOADERVID_VERIFY_ONLY", "")
with tempfile.TemporaryDirectory() as scratch:
    for test in [test_files, test_alpha, test_delays, test_seams, test_presets]:
        run(test.__name__, lambda: test(scratch))
    for test in judging.TESTS:
        run(test.__name__, lambda: test(program, expect, accept, scratch))
for kind in total:
    print(f"{kind:28} {found[kind]:4} of {total[kind]:4}")
print(f"{'':16} {'verify: wrong':>14} {'verify: right':>14}")
for name, kinds in [("wrong clips", wrong), ("right clips", set(total) - wrong)]:
    passed, count = sum(found[kind] for kind in kinds), sum(total[kind] for kind in kinds)
    cells = (passed, count - passed) if name == "wrong clips" else (count - passed, passed)
    print(f"{name:16} {cells[0]:14} {cells[1]:14}")
for line in failures:
    print(line)
sys.exit(1 if failures else 0)
