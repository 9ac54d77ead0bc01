"""Renders the frames of loadervid's clips, and writes frames to files without loadervid."""
import os
import struct
import subprocess
import zlib

import numpy as np
from PIL import Image

FPS = 25
TAGS = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]
TO_709 = ["-vf", "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_inp"]


def run(command, data=None):
    """Runs a command with data on standard input; returns its standard output."""
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr.decode()[-600:]}")
    return done.stdout


def render_frames(program, loader, size, options, scratch):
    """The frames of a loader's cycle as an array of RGBA with straight alpha."""
    path = os.path.join(scratch, "source.mkv")
    width, height = size
    run([program, "encode", loader, "--size", f"{width}x{height}", "--fps", str(FPS), "--codec", "ffv1",
         "--pixel-format", "bgra", "--progress", "none", "--force", "-o", path] + options)
    raw = run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgba", "-"])
    return np.frombuffer(raw, np.uint8).reshape(-1, height, width, 4).copy()


def write(frames, path, delays=None, tags=True, fps=FPS):
    """Writes frames in the format of the path's extension.

    `delays`, in milliseconds, are used for GIF, APNG (.png) and WebP only, `tags` (colour tags) and
    `fps` for video only.
    """
    count, height, width, _ = frames.shape
    extension = path.rsplit(".", 1)[1]
    delays = delays or [1000 // fps] * count
    if extension == "webp":
        images = [Image.fromarray(frame, "RGBA") for frame in frames]
        images[0].save(path, save_all=True, append_images=images[1:], duration=delays, loop=0, lossless=True,
                       minimize_size=False, exact=True)
    elif extension == "png":
        write_apng(frames, path, delays)
    elif extension == "gif":
        write_gif(frames, path, delays)
    else:
        source = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{width}x{height}", "-r",
                  str(fps), "-i", "-"]
        codec = {
            "mp4": ["-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"],
            "webm": ["-c:v", "libvpx-vp9", "-crf", "31", "-b:v", "0", "-cpu-used", "5", "-pix_fmt", "yuv420p"],
        }[extension]
        run(source + (TO_709 if tags else []) + codec + (TAGS if tags else []) + [path], frames.tobytes())


def write_apng(frames, path, delays):
    """Writes an APNG of complete frames, each with its exact delay."""
    count, height, width, _ = frames.shape

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    out = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)),
           chunk(b"acTL", struct.pack(">II", count, 0))]
    number = 0
    for index, frame in enumerate(frames):
        out.append(chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, 0, 0, delays[index], 1000, 0, 0)))
        number += 1
        rows = b"".join(b"\0" + row.tobytes() for row in frame)
        data = zlib.compress(rows, 6)
        if index == 0:
            out.append(chunk(b"IDAT", data))
        else:
            out.append(chunk(b"fdAT", struct.pack(">I", number) + data))
            number += 1
    out.append(chunk(b"IEND", b""))
    with open(path, "wb") as file:
        file.write(b"".join(out))


def write_gif(frames, path, delays):
    """Writes a GIF of complete frames with one palette. Pillow would merge equal frames."""
    count, height, width, _ = frames.shape
    images = [Image.fromarray(np.ascontiguousarray(frame[..., :3]), "RGB") for frame in frames]
    mix = Image.fromarray(np.concatenate([np.asarray(image) for image in images[:: max(1, count // 8)]]), "RGB")
    palette = mix.quantize(255, method=Image.Quantize.MEDIANCUT)
    table = (palette.getpalette() or [])[: 255 * 3]
    table += [0] * (768 - len(table))
    is_transparent = frames[..., 3].min() < 128
    out = [b"GIF89a", struct.pack("<HHBBB", width, height, 0xF7, 0, 0), bytes(table),
           b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"]
    for index, image in enumerate(images):
        codes = np.asarray(image.quantize(palette=palette, dither=Image.Dither.NONE)).copy()
        if is_transparent:
            codes[frames[index][..., 3] < 128] = 255
        flags = 0x09 if is_transparent else 0x04
        out.append(b"\x21\xf9\x04" + struct.pack("<BHB", flags, delays[index] // 10, 255) + b"\0")
        out.append(b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0) + lzw(codes.tobytes()))
    out.append(b"\x3b")
    with open(path, "wb") as file:
        file.write(b"".join(out))


class BitWriter:
    """Collects codes of up to 12 bits as bytes, least significant bit first."""

    def __init__(self):
        self.bytes = bytearray()
        self.buffer = 0
        self.bits = 0

    def put(self, code, size):
        self.buffer |= code << self.bits
        self.bits += size
        while self.bits >= 8:
            self.flush()

    def flush(self):
        self.bytes.append(self.buffer & 255)
        self.buffer >>= 8
        self.bits -= 8


def lzw(codes):
    """A GIF image's data: 8-bit palette indices, compressed with LZW and split into sub-blocks."""
    writer = BitWriter()
    size = 9
    table = {bytes([value]): value for value in range(256)}
    writer.put(256, size)
    next_code = 258
    word = b""
    for value in codes:
        longer = word + bytes([value])
        if longer in table:
            word = longer
            continue
        writer.put(table[word], size)
        if next_code < 4096:
            table[longer] = next_code
            if next_code == 1 << size and size < 12:
                size += 1
            next_code += 1
        else:
            writer.put(256, size)
            size = 9
            next_code = 258
            table = {bytes([value]): value for value in range(256)}
        word = bytes([value])
    if word:
        writer.put(table[word], size)
    writer.put(257, size)
    if writer.bits:
        writer.flush()
    return b"\x08" + sub_blocks(writer.bytes) + b"\0"


def sub_blocks(data):
    """GIF's blocks of up to 255 bytes, each after its length."""
    return b"".join(bytes([len(data[i:i + 255])]) + bytes(data[i:i + 255]) for i in range(0, len(data), 255))
