export interface BookDifference {
  /** Dotted, such as `print.byMediaId.media-cotton-rag-310.centsPerSqm`. Entries of a list are named by their id if they have one. */
  path: string;
  /** Null means "not sold", as in a book. Absent if only the other document has the value. */
  before?: unknown;
  after?: unknown;
}

type Leaves = Map<string, unknown>;

/** Lists the values in which two documents differ, in the order of the second document. Values that only the first one has come last. */
export function bookDifferences(before: unknown, after: unknown): BookDifference[] {
  const [leavesBefore, leavesAfter] = [flatten(before), flatten(after)];
  const changed = [...leavesAfter].filter(
    ([path, value]) => !leavesBefore.has(path) || JSON.stringify(leavesBefore.get(path)) !== JSON.stringify(value),
  );
  const removed = [...leavesBefore].filter(([path]) => !leavesAfter.has(path));
  return [
    ...changed.map(([path, value]) => ({ path, ...(leavesBefore.has(path) ? { before: leavesBefore.get(path) } : {}), after: value })),
    ...removed.map(([path, value]) => ({ path, before: value })),
  ];
}

/** Maps each value to its path. A list of plain values, such as holidays, is one value. */
function flatten(value: unknown, path = '', leaves: Leaves = new Map()): Leaves {
  const parts = entriesOf(value);
  if (parts === null) leaves.set(path, value);
  else for (const [name, part] of parts) flatten(part, path === '' ? name : `${path}.${name}`, leaves);
  return leaves;
}

function entriesOf(value: unknown): [string, unknown][] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) return Object.entries(value);
  if (!value.some((entry) => typeof entry === 'object' && entry !== null)) return null;
  return (value as unknown[]).map((entry: unknown, index) => [idOf(entry) ?? String(index), entry]);
}

function idOf(entry: unknown): string | null {
  return typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string' ? entry.id : null;
}
