export const ERASED = '[erased]';

/** Fields that say who an order is for, wherever they stand in an order's JSON. A link is emptied: the marker is no URL. */
const PERSONAL_FIELDS = new Set(['externalReference', 'trackingNumber', 'note', 'reason', 'message', 'specialInstructions']);
const LINK_FIELDS = new Set(['trackingUrl', 'imageUrl']);

/** Every part that was given becomes the marker; the country stays, because the tax of the order rests on it. */
function eraseAddress(address: object): object {
  const entries = Object.entries(address).map(([part, value]) => [part, part === 'country' || typeof value !== 'string' ? value : ERASED]);
  return Object.fromEntries(entries);
}

/** JSON of an order, an event or a message without personal data; everything else, and the order of its fields, as it was. */
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

/** The same for JSON text. Text that is no JSON, because it was cut short, becomes the marker as a note. */
export function eraseJsonText(text: string): string {
  try {
    return JSON.stringify(withoutPersonalData(JSON.parse(text)));
  } catch {
    return JSON.stringify({ note: ERASED });
  }
}
