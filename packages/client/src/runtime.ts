type Versions = Partial<Record<'node' | 'bun' | 'deno', string>>;

const runtime = globalThis as { process?: { versions?: Versions }; navigator?: { userAgent?: string } };
const { node, bun, deno } = runtime.process?.versions ?? {};
const isImitation = bun !== undefined || deno !== undefined || runtime.navigator?.userAgent === 'Cloudflare-Workers';

/**
 * True on Node, where fetch streams a body with its length. Browsers cannot stream; Bun, Deno and Cloudflare Workers, which imitate Node,
 * omit the length.
 */
export const isNode: boolean = node !== undefined && !isImitation;

/** A random UUID. Browsers offer `crypto.randomUUID` only on pages over https. */
export function randomId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
