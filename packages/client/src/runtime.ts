type Versions = Partial<Record<'node' | 'bun' | 'deno', string>>;

const versions = (globalThis as { process?: { versions?: Versions } }).process?.versions;

/** True on Node, where fetch streams a body with its length. Browsers cannot stream; Bun and Deno, which imitate Node, omit the length. */
export const isNode: boolean = versions?.node !== undefined && versions.bun === undefined && versions.deno === undefined;

/** A random UUID. Browsers offer `crypto.randomUUID` only on pages over https. */
export function randomId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
