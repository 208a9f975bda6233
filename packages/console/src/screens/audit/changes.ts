/** One field that differs; `undefined` where that side did not have it. */
export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

type Side = Readonly<Record<string, unknown>> | null;

/** What differs between before and after, field by field. What was made, and had no before, has what it was made with. */
export function changesOf(before: Side, after: Side): Change[] {
  const [was, is] = [flat(before), flat(after)];
  const fields = [...new Set([...was.keys(), ...is.keys()])];
  return fields
    .map((field) => ({ field, before: was.get(field), after: is.get(field) }))
    .filter((change) => !isSame(change.before, change.after));
}

/** Nothing, null and an empty list say the same: that there is none. */
function isSame(before: unknown, after: unknown): boolean {
  if (isNone(before) && isNone(after)) return true;
  return JSON.stringify(before) === JSON.stringify(after);
}

export const isNone = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Records within the record have their fields beside its own: `facts.printed`. */
function flat(side: Side, within = ''): Map<string, unknown> {
  const fields = Object.entries(side ?? {}).flatMap(([name, value]): [string, unknown][] =>
    isRecord(value) ? [...flat(value, `${within}${name}.`)] : [[`${within}${name}`, value]],
  );
  return new Map(fields);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
