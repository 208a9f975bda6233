/** Building a format is slow, so one per currency or time zone is cached. Formats have no state. */
export function cacheFormats<Format>(build: (of: string) => Format): (of: string) => Format {
  const formats = new Map<string, Format>();
  return (of) => {
    const format = formats.get(of) ?? build(of);
    formats.set(of, format);
    return format;
  };
}
