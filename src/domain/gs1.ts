/** The kind of barcode, which some scanners send first, such as `]C1`. */
export const AIM_PREFIX = /^\][A-Za-z]\d/;
const GS1_PREFIX = /^\](?:C1|d2|e0|Q3)/;
/** The start of a GS1 label: its AIM prefix, its first identifier in parentheses, or a complete number of a pallet or an article. */
const GS1_START = /^(?:\](?:C1|d2|e0|Q3)|\(\d{2,3}\)|00\d{18}|01\d{14})/;

/** The lengths of GS1 elements that have one, by their identifiers. */
const FIXED_ELEMENTS: Readonly<Record<string, number>> = { '00': 18, '01': 14, '02': 14, '402': 17, '410': 13 };
/** The identifiers of GS1 elements that can hold a tracking number, besides `00`. Their length varies. */
const NUMBER_ELEMENTS: ReadonlySet<string> = new Set(['21', '91', '92', '93', '94', '95', '96', '97', '98', '99', '400', '401', '403']);

export const isGs1Label = (text: string): boolean => GS1_START.test(text);

/** The values in a GS1 label without separators: an element of a fixed length, and what follows it. */
export function gs1Values(label: string): string[] {
  for (const size of [2, 3]) {
    const identifier = label.slice(0, size);
    const length = FIXED_ELEMENTS[identifier];
    if (length !== undefined && label.length >= size + length)
      return [label.slice(size, size + length), ...gs1Values(label.slice(size + length))];
    if (NUMBER_ELEMENTS.has(identifier) && label.length > size) return [label.slice(size)];
  }
  return [];
}

/** A scanned text without its AIM prefix. A GS1 label keeps what the prefix says: `]C1401LND5` becomes `(401)LND5`. */
export function withoutAimPrefix(text: string): string {
  const rest = text.replace(AIM_PREFIX, '');
  const isIdentifier = (start: string): boolean => Object.hasOwn(FIXED_ELEMENTS, start) || NUMBER_ELEMENTS.has(start);
  const first = GS1_PREFIX.test(text) ? [rest.slice(0, 2), rest.slice(0, 3)].find(isIdentifier) : undefined;
  return first === undefined ? rest : `(${first})${rest.slice(first.length)}`;
}
