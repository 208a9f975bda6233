/** Node and what behaves like it: fetch streams a body of a known length there, which pages cannot. */
export const isNode: boolean = (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;
