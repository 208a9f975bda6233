"""Makes one file for each kind of artwork that clients sent: `python kinds.py FOLDER`.

Writes the files, renderings in sRGB by LittleCMS and `pictures.json` with what the inspection must find.
"""

import io
import json
import struct
import sys
from pathlib import Path

import imagecodecs
import numpy as np
import pillow_heif
import tifffile
from heic_grid import grid, tile_picture
from PIL import Image, ImageCms
from random_pictures import gray_profile, photo, render, swap_primaries, with_png_profile

pillow_heif.register_heif_opener()
W, H = 96, 64
RGB = np.rint(photo(np.random.default_rng(3), W, H, 3) * 255).astype(np.uint8)
OTHER = np.rint(photo(np.random.default_rng(4), W, H, 4) * 255).astype(np.uint8)
GRAY = RGB[..., 0]
EMPTY = np.zeros_like(GRAY)
PROFILE = swap_primaries(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
SHOWN = render(RGB / 255, "RGB", None)
SHOWN_BY_PROFILE = render(RGB / 255, "RGB", PROFILE)
SHOWN_GRAY = render(GRAY[..., None] / 255, "L", None)
SHOWN_GRAY_BY_PROFILE = render(GRAY[..., None] / 255, "L", gray_profile())


class Folder:
    def __init__(self, path: Path) -> None:
        self.path, self.rows = path, []

    def add(self, name: str, data: bytes, state: str, image: Image.Image | None = None, **facts: object) -> None:
        """`state` lists the right states; `facts` are exact."""
        (self.path / name).write_bytes(data)
        rendering = None
        if image is not None:
            rendering = f"{name}.rendering"
            image.save(self.path / rendering, "PNG")
        self.rows.append({"file": name, "states": state.split("|"), "rendering": rendering, "facts": facts})

    def tiff(self, name: str, array: np.ndarray, state: str, image: Image.Image | None = None, facts: dict | None = None, **options: object) -> bytes:
        out = io.BytesIO()
        options.setdefault("photometric", "rgb")
        tifffile.imwrite(out, array, metadata=None, **options)
        self.add(name, out.getvalue(), state, image, **{"widthPx": W, "heightPx": H, "pages": 1, **(facts or {})})
        return out.getvalue()


def channels(folder: Folder) -> None:
    extra = lambda *kinds: {"extrasamples": list(kinds)}
    more = lambda count: [OTHER[..., index % 4] for index in range(count)]
    for count in (1, 2, 3, 4, 7):
        facts = {"extraChannels": count, "hasAlpha": False}
        folder.tiff(f"rgb+{count}.tif", np.dstack([RGB, *more(count)]), "ok", SHOWN, facts, **extra(*[0] * count))
        folder.tiff(f"grey+{count}.tif", np.dstack([GRAY, *more(count)]), "ok", SHOWN_GRAY, facts, photometric="minisblack", planarconfig="contig", **extra(*[0] * count))
        folder.tiff(f"cmyk+{count}.tif", np.dstack([255 - RGB, EMPTY, *more(count)]), "ok", None, facts, photometric="separated", **extra(*[0] * count))
    opaque = np.full_like(GRAY, 255)
    folder.tiff("rgb+alpha+spot.tif", np.dstack([RGB, opaque, GRAY]), "ok", SHOWN, {"extraChannels": 1, "hasAlpha": True}, **extra(2, 0))
    folder.tiff("rgb+spot+alpha.tif", np.dstack([RGB, GRAY, opaque]), "ok", SHOWN, {"extraChannels": 1, "hasAlpha": True}, **extra(0, 2))
    folder.tiff("rgb+premultiplied.tif", np.dstack([RGB, opaque]), "ok", SHOWN, {"extraChannels": 0, "hasAlpha": True}, **extra(1))
    folder.tiff("rgb+selection.tif", np.dstack([RGB, EMPTY]), "ok", SHOWN, {"extraChannels": 1, "hasAlpha": False}, **extra(0))
    folder.tiff("cmyk+spot.tif", np.dstack([255 - RGB, EMPTY, EMPTY]), "ok", None, {"extraChannels": 1, "hasAlpha": False}, photometric="separated", **extra(0))
    deep = np.dstack([RGB, *more(2)]).astype(np.uint16) * 257
    folder.tiff("rgb16+2.tif", deep, "ok", SHOWN, {"extraChannels": 2}, **extra(0, 0))
    planes = np.ascontiguousarray(np.dstack([GRAY, opaque]).transpose(2, 0, 1))
    folder.tiff("grey-planes+alpha.tif", planes, "ok", SHOWN_GRAY, {"hasAlpha": True}, photometric="minisblack", planarconfig="separate", **extra(2))
    planes = np.ascontiguousarray(np.dstack([RGB, *more(2)]).transpose(2, 0, 1))
    folder.tiff("planes+2.tif", planes, "ok", SHOWN, {"extraChannels": 2}, planarconfig="separate", **extra(0, 0))


def compressions(folder: Folder) -> None:
    for name in ("zstd", "lzma", "lerc", "jpeg2000", "png", "jpegxl", "jpegxr"):
        for layout, tile in (("strips", None), ("tiles", (32, 32))):
            folder.tiff(f"{layout}-{name}.tif", RGB, "no_preview", None, {}, compression=name, tile=tile)
    for name in ("lzw", "deflate", "packbits", "webp", "jpeg"):
        for layout, tile in (("strips", None), ("tiles", (32, 32))):
            data = folder.tiff(f"{layout}-{name}.tif", RGB, "ok", SHOWN, {}, compression=name, tile=tile)
            cut = bytearray(data)
            with tifffile.TiffFile(io.BytesIO(data)) as file:
                offset, length = file.pages[0].dataoffsets[-1], file.pages[0].databytecounts[-1]
            cut[offset : offset + length] = bytes(length)
            if name in ("deflate", "webp", "jpeg"):
                folder.add(f"{layout}-{name}-damaged.tif", bytes(cut), "unreadable|no_preview")
    planes = np.ascontiguousarray(RGB.transpose(2, 0, 1))
    folder.tiff("tiles-planes.tif", planes, "no_preview", None, {}, planarconfig="separate", tile=(32, 32))
    for name in ("group3", "group4", "tiff_ccitt"):
        out = io.BytesIO()
        bilevel = Image.fromarray(GRAY).convert("1")
        bilevel.save(out, "TIFF", compression=name)
        folder.add(f"{name}.tif", out.getvalue(), "ok", bilevel.convert("RGB"), widthPx=W, heightPx=H)


def tags(entries: list[tuple[int, int, object]], data: bytes, order: str = "<") -> bytes:
    """A TIFF with these entries (tag, type, value or list of values); the pixels follow the directory."""
    sizes = {1: "B", 3: "H", 4: "I", 7: "B"}
    entries = sorted(entries, key=lambda entry: entry[0])
    at = 8 + 2 + 12 * len(entries) + 4
    tail, rows = b"", b""
    total = sum(len(values) * struct.calcsize(sizes[kind]) for _, kind, values in entries if isinstance(values, list) and len(values) * struct.calcsize(sizes[kind]) > 4)
    for tag, kind, values in entries:
        values = [at + total] if values is None else values if isinstance(values, list) else [values]
        packed = struct.pack(order + sizes[kind] * len(values), *values)
        if len(packed) > 4:
            rows += struct.pack(order + "HHII", tag, kind, len(values), at + len(tail))
            tail += packed
        else:
            rows += struct.pack(order + "HHI", tag, kind, len(values)) + packed.ljust(4, b"\0")
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 8)
    return head + struct.pack(order + "H", len(entries)) + rows + bytes(4) + tail + data


def camera_likes(folder: Folder) -> None:
    def base(**changes: object) -> list[tuple[int, int, object]]:
        values = {254: (4, 0), 256: (4, W), 257: (4, H), 258: (3, [8, 8, 8]), 259: (3, 1), 262: (3, 2), 273: (4, None), 277: (3, 3), 278: (4, H), 279: (4, W * H * 3)}
        values |= {int(tag): value for tag, value in changes.items()}
        return [(tag, *value) for tag, value in values.items() if value is not None]

    facts = {"mediaType": "image/tiff", "widthPx": W, "heightPx": H}
    many = {str(40000 + index): (3, 1) for index in range(18)}
    for order in "<>":
        name = "II" if order == "<" else "MM"
        folder.add(f"28tags-{name}.tif", tags(base(**many), RGB.tobytes(), order), "ok", SHOWN, **facts)
        folder.add(f"printim-{name}.tif", tags(base(**{"50341": (7, [80, 114, 105, 110])}), RGB.tobytes(), order), "ok", SHOWN, **facts)
        for value in (0, 9, 300):
            folder.add(f"orientation{value}-{name}.tif", tags(base(**{"274": (3, value)}), RGB.tobytes(), order), "ok", SHOWN, orientation=1, **facts)
        folder.add(f"unit9-{name}.tif", tags(base(**{"296": (3, 9)}), RGB.tobytes(), order), "ok", SHOWN, **facts)
        folder.add(f"bits-once-{name}.tif", tags(base(**{"258": (3, 8)}), RGB.tobytes(), order), "ok|no_preview", None, **facts)
        folder.add(f"no-photometric-{name}.tif", tags(base(**{"262": None}), RGB.tobytes(), order), "ok|no_preview", None, **facts)
        folder.add(f"dng-{name}.tif", tags(base(**{"50706": (1, [1, 4, 0, 0])}), RGB.tobytes(), order), "ok", SHOWN, **facts)
        folder.add(f"camera-raw-{name}.tif", tags(base(**{"262": (3, 32803), "277": (3, 1), "258": (3, 8)}), RGB.tobytes(), order), "no_preview", None, **facts)
        folder.add(f"loop-{name}.tif", loop(tags(base(), RGB.tobytes(), order), order), "ok", SHOWN, pages=1, **facts)
    first = RGB.copy()
    first[0, 0] = (0x43, 0x52, 0)
    offset = 8 + first.nbytes
    made = bytearray(tags(base(), b""))
    folder.add("first-pixel-CR.tif", moved(bytes(made), first.tobytes(), offset), "ok", None, **facts)


def loop(data: bytes, order: str) -> bytes:
    """The directory names itself as the next one."""
    count = struct.unpack(order + "H", data[8:10])[0]
    at = 10 + 12 * count
    return data[:at] + struct.pack(order + "I", 8) + data[at + 4 :]


def moved(data: bytes, pixels: bytes, offset: int) -> bytes:
    """The pixels right behind the header, and the directory behind them."""
    count = struct.unpack("<H", data[8:10])[0]
    out = bytearray(data[8:])
    for index in range(count):
        at = 2 + 12 * index
        tag, kind, number, value = struct.unpack("<HHII", out[at : at + 12])
        if tag == 273:
            out[at + 8 : at + 12] = struct.pack("<I", 8)
        elif kind == 3 and number > 2:
            out[at + 8 : at + 12] = struct.pack("<I", value - 8 + offset)
    return b"II*\0" + struct.pack("<I", offset) + pixels + bytes(out)


def large(folder: Folder) -> None:
    layers = {"extratags": [(37724, 7, 30 << 20, bytes(30 << 20), True)]}
    folder.tiff("photoshop-layers.tif", RGB, "ok", SHOWN, {}, **layers)
    noise = np.random.default_rng(1).integers(0, 255, (5000, 5000, 3), dtype=np.uint8)
    folder.tiff("one-strip-lzw.tif", noise, "ok", None, {"widthPx": 5000, "heightPx": 5000}, compression="lzw", rowsperstrip=5000)


def colors(folder: Folder) -> None:
    lab_profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB"))
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
    lab = ImageCms.profileToProfile(Image.fromarray(RGB), srgb, lab_profile, outputMode="LAB")
    out = io.BytesIO()
    lab.save(out, "TIFF")
    folder.add("lab8.tif", out.getvalue(), "ok", SHOWN, widthPx=W, heightPx=H, colourSpace="lab")
    folder.tiff("icclab8.tif", np.asarray(lab) ^ np.array([0, 0x80, 0x80], np.uint8), "ok", SHOWN, {}, photometric="icclab")
    cmyk = np.dstack([255 - RGB, EMPTY])
    folder.tiff("inkset2.tif", cmyk, "no_preview", None, {}, photometric="separated", extratags=[(332, 3, 1, 2, True)])
    folder.tiff("rgb12.tif", RGB.astype(np.uint16) * 16, "no_preview", None, {}, bitspersample=12)
    folder.add("12bit.jpg", imagecodecs.jpeg8_encode(RGB.astype(np.uint16) * 16, bitspersample=12), "no_preview", None, widthPx=W, heightPx=H)
    folder.add("lossless.jpg", imagecodecs.ljpeg_encode(GRAY), "ok|no_preview", None)
    deep = RGB.astype(np.uint16) * 257
    part = (RGB / 255).astype(np.float32)
    folder.tiff("rgb16-profile.tif", deep, "ok", SHOWN_BY_PROFILE, {"hasProfile": True}, iccprofile=PROFILE)
    folder.tiff("rgba16-profile.tif", np.dstack([deep, np.full_like(GRAY, 255).astype(np.uint16) * 257]), "ok", SHOWN_BY_PROFILE, {"hasAlpha": True}, iccprofile=PROFILE, extrasamples=[2])
    folder.tiff("rgb8-profile.tif", RGB, "ok", SHOWN_BY_PROFILE, {}, iccprofile=PROFILE)
    folder.tiff("float-profile.tif", part, "ok", SHOWN_BY_PROFILE, {}, iccprofile=PROFILE)
    folder.tiff("rgb32-profile.tif", RGB.astype(np.uint32) * 0x1010101, "ok", SHOWN_BY_PROFILE, {}, iccprofile=PROFILE)
    folder.tiff("rgb32.tif", RGB.astype(np.uint32) * 0x1010101, "ok", SHOWN)
    folder.tiff("float.tif", part, "ok", SHOWN)
    folder.tiff("float-predictor.tif", part, "ok", SHOWN, {}, compression="deflate", predictor=3)
    folder.tiff("float-hdr.tif", part * 100, "no_preview")
    folder.tiff("float-nan.tif", np.where(part > 2, part, np.nan).astype(np.float32), "ok|no_preview")
    folder.tiff("half.tif", part.astype(np.float16), "no_preview")
    folder.tiff("double.tif", part.astype(np.float64), "no_preview")
    folder.tiff("int16.tif", deep.view(np.int16), "no_preview")
    for name, array in (("8", GRAY), ("16", GRAY.astype(np.uint16) * 257), ("float", (GRAY / 255).astype(np.float32)), ("32", GRAY.astype(np.uint32) * 0x1010101)):
        folder.tiff(f"grey{name}.tif", array, "ok", SHOWN_GRAY, {}, photometric="minisblack")
        folder.tiff(f"grey{name}-profile.tif", array, "ok", SHOWN_GRAY_BY_PROFILE, {}, photometric="minisblack", iccprofile=gray_profile())
    for name, array, icc, image in (
        ("rgb", deep, PROFILE, SHOWN_BY_PROFILE),
        ("grey", GRAY.astype(np.uint16) * 257, gray_profile(), SHOWN_GRAY_BY_PROFILE),
    ):
        folder.add(f"{name}16-profile.png", with_png_profile(imagecodecs.png_encode(array), icc), "ok", image, hasProfile=True)


def pages(folder: Folder) -> None:
    def write(name: str, found: int, *parts: tuple[np.ndarray, dict], reduced: int = 1) -> None:
        out = io.BytesIO()
        with tifffile.TiffWriter(out) as writer:
            for array, options in parts:
                writer.write(array, metadata=None, **{"photometric": "rgb", **options})
        kind = struct.pack("<HHII", 254, 4, 1, 1)
        data = out.getvalue().replace(kind, kind[:8] + struct.pack("<I", reduced))
        folder.add(name, data, "ok", SHOWN, widthPx=W, heightPx=H, pages=found)

    small = RGB[::4, ::4]
    write("thumbnail-first.tif", 1, (small, {"subfiletype": 1}), (RGB, {}))
    write("thumbnail-last.tif", 1, (RGB, {}), (small, {"subfiletype": 1}))
    write("mask.tif", 1, (RGB, {}), (RGB, {"subfiletype": 1}), reduced=4)
    write("three-pages.tif", 3, *[(RGB, {}) for _ in range(3)])
    write("numbered-pages.tif", 2, (small, {"subfiletype": 1}), (RGB, {}), reduced=2)
    write("largest-second.tif", 2, (small, {}), (RGB, {}))
    write("pyramid.tif", 1, (RGB, {"subifds": 2}), (small, {"subfiletype": 1}), (small[::2, ::2], {"subfiletype": 1}))


def heif(folder: Folder) -> None:
    def encoded(image: Image.Image, kind: str = "HEIF", **options: object) -> bytes:
        out = io.BytesIO()
        image.save(out, kind, quality=95, **options)
        return out.getvalue()

    def branded(data: bytes, brand: bytes) -> bytes:
        return data[:8] + brand + data[12:]

    heic = encoded(Image.fromarray(RGB), chroma=444)
    for brand in (b"heic", b"heim", b"mif1", b"mif2", b"miaf", b"msf1", b"unif"):
        folder.add(f"brand-{brand.decode()}.heic", branded(heic, brand), "ok", SHOWN, widthPx=W, heightPx=H, mediaType="image/heic")
    folder.add("profile.heic", encoded(Image.fromarray(RGB), chroma=444, icc_profile=PROFILE), "ok", SHOWN_BY_PROFILE, hasProfile=True)
    folder.add("grey.heic", encoded(Image.fromarray(GRAY)), "ok", SHOWN_GRAY)
    folder.add("alpha.heic", encoded(Image.fromarray(np.dstack([RGB, np.full_like(GRAY, 255)])), chroma=444), "ok", SHOWN, hasAlpha=True)
    deep = pillow_heif.from_bytes(mode="RGB;16", size=(W, H), data=(RGB.astype(np.uint16) * 257).tobytes())
    out = io.BytesIO()
    deep.save(out, quality=95, chroma=444)
    folder.add("10bit.heic", out.getvalue(), "ok", SHOWN)
    tiles = Image.fromarray(np.tile(tile_picture(128), (2, 3, 1)))
    folder.add("grid.heic", grid(3, 2, 128, PROFILE), "ok", render(np.asarray(tiles) / 255, "RGB", PROFILE), widthPx=384, heightPx=256, hasProfile=True)
    folder.add("turned.heic", grid(3, 2, 128, None, turns=1), "ok", tiles.transpose(Image.Transpose.ROTATE_90), widthPx=256, heightPx=384, orientation=1)
    hidden = np.dstack([np.where(RGB[..., :1] > 127, RGB, 255 - RGB), np.where(RGB[..., :1] > 127, 255, 0).astype(np.uint8)])
    folder.add("transparent.heic", encoded(Image.fromarray(hidden), chroma=444), "ok", None, hasAlpha=True)
    for name, trailer in (("byte", b"\0"), ("text", b"made by a camera\n")):
        folder.add(f"trailing-{name}.heic", heic + trailer, "ok", SHOWN)
    folder.add("grid-300-tiles.heic", grid(20, 15, 64, None), "ok", None, widthPx=1280, heightPx=960)
    folder.add("cut.heic", heic[: len(heic) * 2 // 3], "unreadable")
    folder.add("only-brand.heic", heic[:24], "unreadable")
    avif = encoded(Image.fromarray(RGB), "AVIF", subsampling="4:4:4")
    for brand in (b"avif", b"mif1", b"miaf"):
        folder.add(f"brand-{brand.decode()}.avif", branded(avif, brand), "ok", SHOWN, widthPx=W, heightPx=H)
    folder.add("video.heic", b"\0\0\0\x18ftypisom" + bytes(4) + b"mp41mp42" + heic[struct.unpack(">I", heic[:4])[0] :], "unreadable")


def nothing(folder: Folder) -> None:
    out = io.BytesIO()
    Image.fromarray(RGB).save(out, "JPEG", quality=95)
    jpeg = out.getvalue()
    folder.add("empty.jpg", b"", "unreadable")
    folder.add("text.tif", b"no picture", "unreadable")
    folder.add("half.jpg", jpeg[: len(jpeg) // 2], "unreadable")
    folder.add("header.jpg", jpeg[:100], "unreadable")
    folder.add("lost-rows.jpg", jpeg[: len(jpeg) * 2 // 3] + jpeg[-2:], "unreadable")
    out = io.BytesIO()
    tifffile.imwrite(out, RGB, photometric="rgb", metadata=None)
    folder.add("cut.tif", out.getvalue()[: len(out.getvalue()) // 2], "unreadable")
    folder.add("magic.tif", b"II*\0", "unreadable")
    folder.add("no-directory.tif", b"II*\0\x08\0\0\0", "unreadable")
    folder.add("pdf.tif", b"%PDF-1.7\n", "unreadable")


if __name__ == "__main__":
    made = Folder(Path(sys.argv[1]))
    for part in (channels, compressions, camera_likes, large, colors, pages, heif, nothing):
        part(made)
    (made.path / "pictures.json").write_text(json.dumps(made.rows))
