export interface Leaf {
  path: readonly string[];
  value: unknown;
}

/** How the screen shows an object of a price book: its plain values first, then its nested objects as a table or as sections. */
interface Layout {
  values: readonly Leaf[];
  table: readonly { key: string; leaves: readonly Leaf[] }[] | null;
  sections: readonly { key: string; value: object }[];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A list of plain values, or of ranges, is shown as one value. */
function isValue(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length === 0) return true;
  return Array.isArray(value) && value.every((each) => !isObject(each) || ('from' in each && 'to' in each));
}

/** The key of a list's entry is its `id`, else its `zoneId`, else its index. */
function entriesOf(value: object): [string, unknown][] {
  if (!Array.isArray(value)) return Object.entries(value);
  return (value as unknown[]).map((entry, index): [string, unknown] => {
    const { id, zoneId } = isObject(entry) ? (entry as { id?: unknown; zoneId?: unknown }) : {};
    return [typeof id === 'string' ? id : typeof zoneId === 'string' ? zoneId : String(index), entry];
  });
}

/** Keys whose values are the heading of an entry, so they are not repeated below it. */
function identityKeysOf(entry: object): readonly string[] {
  if ('zoneId' in entry) return ['zoneId'];
  return 'id' in entry ? ['id', 'name'] : [];
}

export function layOut(value: object): Layout {
  const entries = entriesOf(value);
  const nameKeys = identityKeysOf(value);
  const values = entries
    .filter(([key, each]) => !nameKeys.includes(key) && isValue(each))
    .map(([key, each]) => ({ path: [key], value: each }));
  const nested = entries.filter((entry): entry is [string, object] => !isValue(entry[1]));
  const rows = nested.map(([key, each]) => ({ key, leaves: leavesOf(each) }));
  const isTable =
    nested.length > (Array.isArray(value) ? 0 : 1) && rows.every(({ leaves }) => leaves !== null && leaves.length <= MAX_COLUMNS);
  if (isTable) return { values, table: rows.map(({ key, leaves }) => ({ key, leaves: leaves ?? [] })), sections: [] };
  return { values, table: null, sections: nested.map(([key, each]) => ({ key, value: each })) };
}

const MAX_COLUMNS = 7;

/** The values of an entry and of its nested objects. Null if a nested object contains objects itself. */
function leavesOf(value: object, parentPath: readonly string[] = []): readonly Leaf[] | null {
  const leaves: Leaf[] = [];
  for (const [key, each] of Object.entries(value)) {
    if (parentPath.length === 0 && identityKeysOf(value).includes(key)) continue;
    const path = [...parentPath, key];
    const found = isValue(each)
      ? [{ path, value: each }]
      : parentPath.length === 0 && !Array.isArray(each)
        ? leavesOf(each as object, path)
        : null;
    if (found === null) return null;
    leaves.push(...found);
  }
  return leaves;
}
