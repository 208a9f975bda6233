/**
 * Converts a value to JSON text that is equal for equal bodies. Keys are sorted at every depth, arrays keep their order, undefined is
 * dropped and null is kept (specification "POST /orders" rule 3). The value must be JSON, no deeper than the body parser allows.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return (JSON.stringify(value) as string | undefined) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}
