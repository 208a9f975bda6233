/** Every text of a history with decoded payloads, as the Temporal Web UI shows it. */
export function historyText(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value)
    .map((part) => historyText(part))
    .join('\n');
}
