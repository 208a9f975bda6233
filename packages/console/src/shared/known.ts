/** What a record has under a name that came from elsewhere, such as an address: not what every object inherits, like `toString`. */
export function known<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A value that came from elsewhere, where it is one of those to choose from. */
export function oneOf(values: readonly string[], value: string | undefined): string | null {
  return value !== undefined && values.includes(value) ? value : null;
}
