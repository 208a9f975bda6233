const SHORTEST_TEXT = 3;
/** Letters that the API searches as two ASCII letters, and as one. */
const AS_TWO = /[ßæœþ]/g;
const AS_ONE = /[łøđðħıŧ]/g;

/** Whether the API searches this text in order numbers only: other texts need three letters or digits. */
export function isShort(typed: string): boolean {
  const plain = typed.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(AS_TWO, 'xx').replaceAll(AS_ONE, 'x');
  return /^\p{ASCII}*$/u.test(plain) && plain.replaceAll(/[^a-z0-9]/g, '').length < SHORTEST_TEXT;
}
