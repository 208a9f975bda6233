"""Makes a HEIC picture of tiles, as phones do: `python heic_grid.py FILE COLUMNS ROWS TILE [ICC]`. ISO/IEC 23008-12, 6.6.2.3."""

import io
import struct
import sys
from pathlib import Path

import numpy as np
import pillow_heif
from PIL import Image


def box(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", 8 + len(body), kind) + body


def full_box(kind: bytes, version: int, flags: int, *parts: bytes) -> bytes:
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def boxes(data: bytes) -> list[tuple[bytes, bytes]]:
    found, at = [], 0
    while at + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        end = len(data) if size == 0 else at + size
        found.append((kind, data[at + 8 : end]))
        at = end
    return found


def child(data: bytes, kind: bytes) -> bytes:
    return next(body for name, body in boxes(data) if name == kind)


def tile_picture(size: int) -> np.ndarray:
    """A picture with noise, because phones' pictures have it."""
    y, x = np.mgrid[0:size, 0:size]
    noise = np.random.default_rng(1).normal(0, 12, (size, size, 3))
    picture = np.dstack([x * 255 // size, y * 255 // size, (x + y) * 255 // (2 * size)]) + noise
    return np.clip(picture, 0, 255).astype(np.uint8)


def encoded_tile(size: int) -> tuple[bytes, bytes]:
    """The property hvcC of a tile, and its coded bytes."""
    heif = pillow_heif.from_pillow(Image.fromarray(tile_picture(size), "RGB"))
    out = io.BytesIO()
    heif.save(out, quality=80)
    data = out.getvalue()
    meta = child(data, b"meta")[4:]
    hvcc = child(child(child(meta, b"iprp"), b"ipco"), b"hvcC")
    return hvcc, child(data, b"mdat")


def grid(columns: int, rows: int, tile: int, icc: bytes | None, turns: int = 0) -> bytes:
    """`turns` counts quarter turns against the clock (`irot`)."""
    hvcc, coded = encoded_tile(tile)
    tiles = columns * rows
    width, height = columns * tile, rows * tile
    layout = struct.pack(">BBBBII", 0, 1, rows - 1, columns - 1, width, height)
    entries = [full_box(b"infe", 2, 0, struct.pack(">HH4s", 1, 0, b"grid"), b"\0")]
    entries += [full_box(b"infe", 2, 1, struct.pack(">HH4s", 2 + index, 0, b"hvc1"), b"\0") for index in range(tiles)]
    iinf = full_box(b"iinf", 0, 0, struct.pack(">H", 1 + tiles), *entries)
    color = [] if icc is None else [box(b"colr", b"prof", icc)]
    turn = [box(b"irot", bytes([turns]))] if turns else []
    ispe = lambda w, h: full_box(b"ispe", 0, 0, struct.pack(">II", w, h))
    ipco = box(b"ipco", ispe(width, height), ispe(tile, tile), box(b"hvcC", hvcc), *color, *turn)
    of_grid = [1, *range(4, 4 + len(color)), *(0x80 | index for index in range(4 + len(color), 4 + len(color) + len(turn)))]
    associations = [struct.pack(">HB", 1, len(of_grid)) + bytes(of_grid)]
    associations += [struct.pack(">HBBB", 2 + index, 2, 2, 0x83) for index in range(tiles)]
    ipma = full_box(b"ipma", 0, 0, struct.pack(">I", 1 + tiles), *associations)
    iref = full_box(b"iref", 0, 0, box(b"dimg", struct.pack(">HH", 1, tiles), struct.pack(f">{tiles}H", *range(2, 2 + tiles))))
    head = [
        full_box(b"hdlr", 0, 0, bytes(4) + b"pict" + bytes(13)),
        full_box(b"pitm", 0, 0, struct.pack(">H", 1)),
        iinf,
        box(b"iprp", ipco, ipma),
        iref,
        box(b"idat", layout),
    ]
    ftyp = box(b"ftyp", b"heic", bytes(4), b"mif1heic")

    def iloc(offset: int) -> bytes:
        items = [struct.pack(">HHHHII", 1, 1, 0, 1, 0, len(layout))]
        items += [struct.pack(">HHHHII", 2 + index, 0, 0, 1, offset, len(coded)) for index in range(tiles)]
        return full_box(b"iloc", 1, 0, b"\x44\x00", struct.pack(">H", 1 + tiles), *items)

    size = len(full_box(b"meta", 0, 0, *head, iloc(0)))
    return ftyp + full_box(b"meta", 0, 0, *head, iloc(len(ftyp) + size + 8)) + box(b"mdat", coded)


if __name__ == "__main__":
    file, columns, rows, tile = sys.argv[1], *map(int, sys.argv[2:5])
    Path(file).write_bytes(grid(columns, rows, tile, Path(sys.argv[5]).read_bytes() if len(sys.argv) > 5 else None))
