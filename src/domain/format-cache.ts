/** Caches one format for each currency or time zone, because building it is slow. Formats have no state. */
export function cacheFormats<Format>(build: (of: string) => Format): (of: string) => Format {
  const formats = new Map<string, Format>();
  return (of) => {
    const format = formats.get(of) ?? build(of);
    formats.set(of, format);
    return format;
  };
}
