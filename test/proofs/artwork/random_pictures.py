"""Makes random pictures and renders them independently of libvips: `python random_pictures.py FOLDER SEED COUNT`.

Writes COUNT files, their renderings in sRGB (`NAME.png`, in the viewing direction) and `pictures.json` with what is true of each file.
tifffile, Pillow and imagecodecs write the files. numpy and LittleCMS (in Pillow) render the pixels that were written.
"""

import io
import json
import random
import sys
from pathlib import Path

import numpy as np
import tifffile
from PIL import Image, ImageCms

SRGB = ImageCms.createProfile("sRGB")
SRGB_PROFILE = ImageCms.ImageCmsProfile(SRGB)
COMPRESSIONS = [None, None, "lzw", "deflate", "packbits", "zstd", "lzma", "lerc", "jpeg2000", "jpeg", "webp", "png"]
# What the decoder's libtiff reads. Other compressions have no preview.
DECODED = {None, "lzw", "deflate", "packbits", "jpeg", "webp"}


def photo(rng: np.random.Generator, width: int, height: int, channels: int) -> np.ndarray:
    """A smooth picture of 0 to 1 with another pattern in each channel, so that a wrong order, turn or inversion shows."""
    y, x = np.mgrid[0:height, 0:width]
    planes = []
    for _ in range(channels):
        slope = rng.uniform(-1, 1, 2)
        plane = slope[0] * x / width + slope[1] * y / height + 0.3 * np.sin(x / width * rng.uniform(1, 6) + rng.uniform(0, 6))
        plane = (plane - plane.min()) / max(np.ptp(plane), 1e-9)
        planes.append(plane)
    return np.dstack(planes)


def profile(choice: random.Random, channels: int) -> bytes | None:
    """A profile that LittleCMS makes."""
    if channels not in (1, 3) or choice.random() < 0.5:
        return None
    if channels == 3:
        # sRGB's primaries with other curves would be like sRGB. Swapped channels cannot be missed.
        data = bytearray(ImageCms.ImageCmsProfile(SRGB).tobytes())
        return swap_primaries(bytes(data))
    return gray_profile()


def swap_primaries(data: bytes) -> bytes:
    """sRGB with red and green exchanged."""
    table = bytearray(data)
    count = int.from_bytes(table[128:132], "big")
    for index in range(count):
        at = 132 + 12 * index
        name = bytes(table[at : at + 4])
        if name == b"rXYZ":
            table[at : at + 4] = b"gXYZ"
        elif name == b"gXYZ":
            table[at : at + 4] = b"rXYZ"
    return bytes(table)


def gray_profile() -> bytes:
    """A gray profile with gamma 1 under D50 (ICC.1:2001)."""
    curve = b"curv" + bytes(4) + (0).to_bytes(4, "big")
    white = b"XYZ " + bytes(4) + b"".join(round(value * 65536).to_bytes(4, "big") for value in (0.9642, 1.0, 0.8249))
    text = b"gray"
    desc = b"desc" + bytes(4) + (len(text) + 1).to_bytes(4, "big") + text + bytes(1 + 4 + 4 + 2 + 1 + 67)
    copyright = b"text" + bytes(4) + b"none\0"
    tags = {b"desc": desc, b"cprt": copyright, b"wtpt": white, b"kTRC": curve}
    body, rows, at = b"", b"", 128 + 4 + 12 * len(tags)
    for name, value in tags.items():
        value += bytes(-len(value) % 4)
        rows += name + at.to_bytes(4, "big") + len(value).to_bytes(4, "big")
        body += value
        at += len(value)
    head = at.to_bytes(4, "big") + bytes(4) + bytes.fromhex("02100000") + b"mntrGRAYXYZ " + bytes(12) + b"acsp" + bytes(28)
    head += b"".join(round(value * 65536).to_bytes(4, "big") for value in (0.9642, 1.0, 0.8249))
    head += bytes(128 - len(head))
    return head + len(tags).to_bytes(4, "big") + rows + body


def render(color: np.ndarray, mode: str, icc: bytes | None) -> Image.Image:
    """Color channels of 0 to 1 in sRGB, by LittleCMS."""
    eight = np.rint(np.clip(color, 0, 1) * 255).astype(np.uint8)
    image = Image.fromarray(eight[..., 0] if mode == "L" else eight, mode)
    if icc is None:
        return image.convert("RGB")
    return ImageCms.profileToProfile(image, ImageCms.ImageCmsProfile(io.BytesIO(icc)), SRGB_PROFILE, outputMode="RGB")


def orient(image: Image.Image, orientation: int) -> Image.Image:
    turns = {
        2: [Image.Transpose.FLIP_LEFT_RIGHT],
        3: [Image.Transpose.ROTATE_180],
        4: [Image.Transpose.FLIP_TOP_BOTTOM],
        5: [Image.Transpose.TRANSPOSE],
        6: [Image.Transpose.ROTATE_270],
        7: [Image.Transpose.TRANSVERSE],
        8: [Image.Transpose.ROTATE_90],
    }
    for turn in turns.get(orientation, []):
        image = image.transpose(turn)
    return image


def make_tiff(choice: random.Random, rng: np.random.Generator, path: Path) -> dict:
    width, height = choice.randrange(40, 900), choice.randrange(40, 700)
    photometric = choice.choice(["minisblack", "miniswhite", "rgb", "rgb", "rgb", "separated", "cielab", "icclab", "palette"])
    color_count = {"separated": 4, "minisblack": 1, "miniswhite": 1, "palette": 1}.get(photometric, 3)
    extra = [choice.choice([0, 0, 1, 2]) for _ in range(choice.choice([0, 0, 0, 1, 1, 2, 3, 4]))] if photometric != "palette" else []
    kind = choice.choice(["u8", "u8", "u8", "u16", "u16", "u32", "f32", "f64", "u12"])
    if photometric in ("palette",):
        kind = "u8"
    if photometric in ("cielab", "icclab"):
        kind = choice.choice(["u8", "u16"])
    compression = choice.choice(COMPRESSIONS)
    tile = choice.choice([None, None, (32, 32), (64, 48), (256, 256)])
    planar = "separate" if color_count + len(extra) > 1 and choice.random() < 0.2 else "contig"
    orientation = choice.choice([None, None, 1, 2, 3, 4, 5, 6, 7, 8, 0, 9])
    big_tiff, byte_order = choice.random() < 0.2, choice.choice("<>")
    pages = choice.choice([1, 1, 1, 2, 3])
    thumbnail = choice.random() < 0.2
    rows_per_strip = None if tile else choice.choice([None, 1, 7, height])
    icc = profile(choice, color_count) if photometric in ("minisblack", "miniswhite", "rgb") else None

    # Other readers differ in what they make of these, so nobody could say what is right.
    if compression in ("jpeg", "webp", "lerc", "jpeg2000", "png"):
        kind, planar = "u8", "contig"
        if compression == "jpeg":
            extra = []
        if compression == "webp":
            extra, photometric, color_count = [], "rgb", 3
        if color_count + len(extra) not in (1, 3) or photometric in ("miniswhite", "cielab", "icclab", "palette"):
            photometric, color_count, extra = "rgb", 3, []
        icc = profile(choice, color_count)
    if kind == "u12":
        tile, compression, planar = None, None, "contig"
    color = photo(rng, width, height, color_count)
    others = photo(rng, width, height, len(extra)) if extra else np.zeros((height, width, 0))
    alpha_at = next((index for index, value in enumerate(extra) if value in (1, 2)), None)
    if alpha_at is not None:
        # Opaque, because programs show transparent parts on different grounds.
        others[..., alpha_at] = 1
    samples = np.dstack([color, others])
    mode = {1: "L", 3: "RGB", 4: "CMYK"}[color_count]
    stored = samples
    table = None
    if photometric == "palette":
        # Smooth, because a preview blurs the hard edges of a small picture.
        table = np.rint(photo(rng, 256, 1, 3)[0].T * 65535).astype(np.uint16)
        index = np.rint(color[..., 0] * 255).astype(int)
        shown = (table.T[index] / 65535).astype(float)
        stored, mode_shown, expected = index[..., None], "RGB", render(shown, "RGB", None)
    elif photometric in ("cielab", "icclab"):
        rgb = Image.fromarray(np.rint(color * 255).astype(np.uint8), "RGB")
        lab = np.asarray(ImageCms.profileToProfile(rgb, SRGB_PROFILE, ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")), outputMode="LAB"))
        signed = np.dstack([lab[..., 0].astype(int), lab[..., 1].astype(np.int8).astype(int), lab[..., 2].astype(np.int8).astype(int)])
        if kind == "u16":
            signed = np.dstack([signed[..., 0] * 257, signed[..., 1] * 256, signed[..., 2] * 256])
        full = 65536 if kind == "u16" else 256
        if photometric == "icclab":
            signed[..., 1:] += full // 2
        top = 65535 if kind == "u16" else 255
        stored = np.dstack([signed % full, np.rint(others * top).astype(int)])
        expected = rgb
    elif photometric == "separated":
        expected = None
    else:
        shown = 1 - color if photometric == "miniswhite" else color
        expected = render(shown, mode, icc)

    dtype, top = {
        "u8": (np.uint8, 255),
        "u12": (np.uint16, 4095),
        "u16": (np.uint16, 65535),
        "u32": (np.uint32, 4294967295),
        "f32": (np.float32, 1),
        "f64": (np.float64, 1),
    }[kind]
    if stored is samples:
        stored = samples * top
        stored = np.rint(stored).astype(np.uint64) if kind[0] == "u" else stored
    stored = stored.astype(dtype)
    if stored.shape[2] == 1:
        stored = stored[..., 0]
        planar = "contig"
    if planar == "separate":
        stored = np.ascontiguousarray(stored.transpose(2, 0, 1))
    options = {
        "photometric": photometric,
        "compression": compression,
        "tile": tile,
        "rowsperstrip": rows_per_strip if not tile else None,
        "extrasamples": extra or None,
        "iccprofile": icc,
        "colormap": table,
        "metadata": None,
    }
    if stored.ndim == 3:
        options["planarconfig"] = planar
    if kind == "u12":
        options["bitspersample"] = 12
    if compression == "jpeg":
        options["compressionargs"] = {"level": 95}
    with tifffile.TiffWriter(path, bigtiff=big_tiff, byteorder=byte_order) as writer:
        if thumbnail:
            small = np.rint(photo(rng, 24, 16, 3) * 255).astype(np.uint8)
            writer.write(small, photometric="rgb", subfiletype=1, metadata=None)
        for page in range(pages):
            tags = [] if orientation is None else [(274, 3, 1, orientation, True)]
            if page == 0:
                writer.write(stored, extratags=tags, **options)
            else:
                writer.write(np.rint(photo(rng, 20, 30, 3) * 255).astype(np.uint8), photometric="rgb", metadata=None)
    turn = orientation if orientation in range(1, 9) else 1
    alpha = alpha_at is not None
    has_preview = compression in DECODED and kind not in ("u12", "f64") and not (tile and planar == "separate")
    return {
        "image": None if expected is None else orient(expected, turn),
        "states": ["ok" if has_preview else "no_preview"],
        "facts": facts(width, height, turn, pages=pages, hasAlpha=alpha, extraChannels=len(extra) - (1 if alpha else 0)),
        "made": f"{photometric} {kind} {compression} tile={tile} planar={planar} extra={extra} strip={rows_per_strip} icc={icc is not None} "
        f"order={byte_order} big={big_tiff} orientation={orientation} pages={pages} thumbnail={thumbnail}",
    }


def make_other(choice: random.Random, rng: np.random.Generator, path: Path, kind: str) -> dict:
    width, height = choice.randrange(40, 1200), choice.randrange(40, 900)
    mode = choice.choice(["L", "RGB"])
    icc = profile(choice, 1 if mode == "L" else 3)
    color = photo(rng, width, height, len(mode))
    expected = render(color, mode, icc)
    deep = kind == "png" and choice.random() < 0.4
    orientation = choice.choice([None, 1, 3, 6, 8]) if kind == "jpeg" else None
    # libwebp leaves out alpha without transparent parts.
    alpha = kind == "png" and choice.random() < 0.3
    eight = np.rint(color * 255).astype(np.uint8)
    image = Image.fromarray(eight[..., 0] if mode == "L" else eight, mode)
    if alpha:
        image.putalpha(255)
    options = {} if icc is None else {"icc_profile": icc}
    if orientation is not None:
        exif = Image.Exif()
        exif[274] = orientation
        options["exif"] = exif
    if kind == "jpeg":
        image.save(path, "JPEG", quality=95, subsampling=choice.choice([0, 2]), progressive=choice.random() < 0.5, **options)
    elif kind == "webp":
        image.convert("RGB").save(path, "WEBP", lossless=choice.random() < 0.5, quality=95, **({} if mode == "L" else options))
        expected = render(color, mode, None if mode == "L" else icc)
    elif deep:
        import imagecodecs

        sixteen = np.rint(color * 65535).astype(np.uint16)
        data = imagecodecs.png_encode(sixteen[..., 0] if mode == "L" else sixteen)
        path.write_bytes(with_png_profile(data, icc) if icc else data)
        alpha = False
    else:
        image.save(path, "PNG", **options)
    turn = orientation or 1
    return {
        "image": orient(expected, turn),
        "states": ["ok"],
        "facts": facts(width, height, turn, pages=1, hasAlpha=alpha, extraChannels=0),
        "made": f"{kind} {mode} deep={deep} icc={icc is not None} orientation={orientation} alpha={alpha}",
    }


def facts(width: int, height: int, orientation: int, **others: object) -> dict:
    """`width` and `height` are those that are stored."""
    turned = orientation >= 5
    return {"widthPx": height if turned else width, "heightPx": width if turned else height, "orientation": orientation, **others}


def with_png_profile(data: bytes, icc: bytes) -> bytes:
    """Adds the chunk iCCP behind the header."""
    import zlib

    body = b"profile\0\0" + zlib.compress(icc)
    chunk = len(body).to_bytes(4, "big") + b"iCCP" + body + zlib.crc32(b"iCCP" + body).to_bytes(4, "big")
    return data[:33] + chunk + data[33:]


def main(folder: Path, seed: int, count: int) -> None:
    rows = []
    for index in range(count):
        choice = random.Random(f"{seed}/{index}")
        rng = np.random.default_rng([seed, index])
        kind = choice.choice(["tiff", "tiff", "tiff", "tiff", "tiff", "jpeg", "png", "webp"])
        path = folder / f"{index:04}.{kind}"
        made = make_tiff(choice, rng, path) if kind == "tiff" else make_other(choice, rng, path, kind)
        image = made.pop("image")
        if image is not None:
            image.save(folder / f"{index:04}.png.ref", "PNG")
        rows.append({"file": path.name, "rendering": None if image is None else f"{index:04}.png.ref", **made})
    (folder / "pictures.json").write_text(json.dumps(rows))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
