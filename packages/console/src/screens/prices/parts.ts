export interface Leaf {
  path: readonly string[];
  value: unknown;
}

/** A part of a book as it is laid out: its own values, then its entries as a table or as parts of their own. */
interface Part {
  values: readonly Leaf[];
  table: readonly { key: string; leaves: readonly Leaf[] }[] | null;
  parts: readonly { key: string; value: object }[];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A list of plain values, or of ranges from–to, is one value. */
function isValue(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length === 0) return true;
  return Array.isArray(value) && value.every((each) => !isObject(each) || ('from' in each && 'to' in each));
}

/** Entries of a list go by their id, those without by what they are for. */
function entriesOf(value: object): [string, unknown][] {
  if (!Array.isArray(value)) return Object.entries(value);
  return (value as unknown[]).map((entry, at): [string, unknown] => {
    const { id, zoneId } = isObject(entry) ? (entry as { id?: unknown; zoneId?: unknown }) : {};
    return [typeof id === 'string' ? id : typeof zoneId === 'string' ? zoneId : String(at), entry];
  });
}

function namedBy(entry: object): readonly string[] {
  if ('zoneId' in entry) return ['zoneId'];
  return 'id' in entry ? ['id', 'name'] : [];
}

export function partOf(value: object): Part {
  const entries = entriesOf(value);
  const said = namedBy(value);
  const values = entries.filter(([key, each]) => !said.includes(key) && isValue(each)).map(([key, each]) => ({ path: [key], value: each }));
  const nested = entries.filter((entry): entry is [string, object] => !isValue(entry[1]));
  const rows = nested.map(([key, each]) => ({ key, leaves: leavesOf(each) }));
  const isTable = nested.length > (Array.isArray(value) ? 0 : 1) && rows.every(({ leaves }) => leaves !== null && leaves.length <= WIDEST);
  if (isTable) return { values, table: rows.map(({ key, leaves }) => ({ key, leaves: leaves ?? [] })), parts: [] };
  return { values, table: null, parts: nested.map(([key, each]) => ({ key, value: each })) };
}

const WIDEST = 7;

/** The values of an entry, two deep; null where it has entries of its own. */
function leavesOf(value: object, above: readonly string[] = []): readonly Leaf[] | null {
  const leaves: Leaf[] = [];
  for (const [key, each] of Object.entries(value)) {
    if (above.length === 0 && namedBy(value).includes(key)) continue;
    const path = [...above, key];
    const found = isValue(each)
      ? [{ path, value: each }]
      : above.length === 0 && !Array.isArray(each)
        ? leavesOf(each as object, path)
        : null;
    if (found === null) return null;
    leaves.push(...found);
  }
  return leaves;
}
