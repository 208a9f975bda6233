export const ERASED = '[erased]';

/** Fields with personal data, anywhere in an order's JSON. Link fields become null, because `[erased]` is not a URL. */
const PERSONAL_FIELDS = new Set([
  'externalReference',
  'reference',
  'trackingNumber',
  'note',
  'reason',
  'signedBy',
  'message',
  'specialInstructions',
]);
const LINK_FIELDS = new Set(['trackingUrl', 'imageUrl']);

/** Replaces each given part by `[erased]`. The country is kept, because the order's tax depends on it. */
function eraseAddress(address: object): object {
  const entries = Object.entries(address).map(([part, value]) => [part, part === 'country' || typeof value !== 'string' ? value : ERASED]);
  return Object.fromEntries(entries);
}

/** Removes personal data from the JSON of an order, event or message. Everything else is kept, including the order of fields. */
export function withoutPersonalData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPersonalData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, eraseField(key, field)]));
}

function eraseField(key: string, field: unknown): unknown {
  if (PERSONAL_FIELDS.has(key) && typeof field === 'string') return ERASED;
  if (LINK_FIELDS.has(key)) return null;
  if (key === 'metadata') return {};
  if (key === 'shippingAddress' && typeof field === 'object' && field !== null) return eraseAddress(field);
  return withoutPersonalData(field);
}

/** Removes personal data from JSON text. Text that was cut short is not valid JSON and is replaced completely. */
export function eraseJsonText(text: string): string {
  try {
    return JSON.stringify(withoutPersonalData(JSON.parse(text)));
  } catch {
    return JSON.stringify({ note: ERASED });
  }
}
