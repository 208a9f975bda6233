export interface Leaf {
  path: readonly string[];
  value: unknown;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether a value has parts of its own. A list of plain values, or of ranges, has none: it is shown as one value. */
function isNested(value: unknown): value is object {
  if (!isObject(value) || Object.keys(value).length === 0) return false;
  return !Array.isArray(value) || value.some((each) => isObject(each) && !('from' in each && 'to' in each));
}

/** The key of a list's entry is its `id`, else its `zoneId`, else its index. */
function entriesOf(value: object): [string, unknown][] {
  if (!Array.isArray(value)) return Object.entries(value);
  return (value as unknown[]).map((entry, index): [string, unknown] => {
    const { id, zoneId } = isObject(entry) ? (entry as { id?: unknown; zoneId?: unknown }) : {};
    return [typeof id === 'string' ? id : typeof zoneId === 'string' ? zoneId : String(index), entry];
  });
}

/** All values of a document with their paths. */
export function leavesOf(value: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (!isNested(value)) return [{ path, value }];
  return entriesOf(value).flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

/** Keys whose values are the heading of an entry, so they are not repeated below it. */
function identityKeysOf(entry: object): readonly string[] {
  if ('zoneId' in entry) return ['zoneId'];
  return 'id' in entry ? ['id', 'name'] : [];
}

const MAX_COLUMNS = 7;

/** How the screen shows an object of a price book: its plain values first, then its nested objects as a table or else as sections. */
export function layOut(value: object) {
  const entries = entriesOf(value);
  const identityKeys = identityKeysOf(value);
  const values = entries
    .filter(([key, each]) => !identityKeys.includes(key) && !isNested(each))
    .map(([key, each]) => ({ path: [key], value: each }));
  const sections = entries.flatMap(([key, each]) => (isNested(each) ? [{ key, value: each }] : []));
  const rows = sections.map(({ key, value: each }) => ({
    key,
    leaves: leavesOf(each).filter(({ path: [first = ''] }) => !identityKeysOf(each).includes(first)),
  }));
  const isTable =
    rows.length > (Array.isArray(value) ? 0 : 1) &&
    rows.every(({ leaves }) => leaves.length <= MAX_COLUMNS && leaves.every(({ path }) => path.length <= 2));
  return { values, sections, table: isTable ? rows : null };
}
