/** True on Node and compatible runtimes, where fetch can stream a body of known length. Browsers cannot. */
export const isNode: boolean = (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;
