const SHORTEST_TEXT = 3;
/** Of letters that are no other letter with an accent, those that the API searches as two ASCII letters, and as one. */
const AS_TWO = /[ßæœþ]/g;
const AS_ONE = /[łøđðħıŧ]/g;

/** Whether the API takes what was typed for how a number begins at most: as a text it needs three letters or digits, dashes not counted. */
export function isShort(typed: string): boolean {
  const plain = typed.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(AS_TWO, 'xx').replaceAll(AS_ONE, 'x');
  return /^\p{ASCII}*$/u.test(plain) && plain.replaceAll(/[^a-z0-9]/g, '').length < SHORTEST_TEXT;
}
