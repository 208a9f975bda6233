const UNIT_BYTES: Record<string, number> = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** `500MB`, `50GB` → bytes; null for other text. */
export function parseByteSize(text: string): number | null {
  const match = /^(\d{1,15})(B|kB|MB|GB|TB)$/.exec(text.trim());
  return match ? Number(match[1]) * (UNIT_BYTES[match[2] ?? ''] ?? Number.NaN) : null;
}

/** The size in its largest whole unit, rounded down to one decimal: `49.9 GB`. */
export function formatByteSize(bytes: number): string {
  const [unit, size] = Object.entries(UNIT_BYTES).findLast(([, least]) => bytes >= least) ?? ['B', 1];
  return `${Math.floor((bytes / size) * 10) / 10} ${unit}`;
}
