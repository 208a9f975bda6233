/** Every value of a document by its dotted path; entries of a list go by their id; a list of plain values is one value. */
export function leavesOf(value: unknown, path = '', leaves = new Map<string, unknown>()): Map<string, unknown> {
  const parts = partsOf(value);
  if (parts === null) leaves.set(path, value);
  else for (const [name, part] of parts) leavesOf(part, path === '' ? name : `${path}.${name}`, leaves);
  return leaves;
}

function partsOf(value: unknown): [string, unknown][] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) return Object.entries(value);
  if (!value.some((entry) => typeof entry === 'object' && entry !== null)) return null;
  return (value as unknown[]).map((entry, at): [string, unknown] => [idOf(entry) ?? String(at), entry]);
}

function idOf(entry: unknown): string | null {
  return typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string' ? entry.id : null;
}
