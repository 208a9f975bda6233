/** A value of a record by an untrusted name, without inherited properties such as `toString`. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The value if it is one of these, otherwise null. */
export function oneOf(values: readonly string[], value: string | undefined): string | null {
  return value !== undefined && values.includes(value) ? value : null;
}
