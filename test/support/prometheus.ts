/** Samples of a Prometheus text: `name{label="value"}` and its value. */
export type Samples = ReadonlyMap<string, number>;

/** @throws Error for a line that is no sample, and for a repeated sample, which Prometheus refuses */
export function parseSamples(text: string): Samples {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, series, value] = /^([a-z_][\w:]*(?:\{.*\})?) (\S+)(?: \d+)?$/i.exec(line) ?? [];
    if (series === undefined || samples.has(series)) throw new Error(`${series === undefined ? 'not a sample' : 'repeated'}: ${line}`);
    samples.set(series, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value));
  }
  return samples;
}

/** The sum of the samples with this name and at least these labels; 0 without any. */
export function sumOf(samples: Samples, name: string, labels: Readonly<Record<string, string>> = {}): number {
  return [...samples]
    .filter(([series]) => series.split('{', 1)[0] === name)
    .filter(([series]) => Object.entries(labels).every(([label, value]) => series.includes(`${label}="${value}"`)))
    .reduce((sum, [, value]) => sum + value, 0);
}
