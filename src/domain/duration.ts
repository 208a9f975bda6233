const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `5m`, `12h`, `30d`, `200ms` → milliseconds; null when the text is none of these. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  return match ? Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? Number.NaN) : null;
}
