/** Control characters, Unicode line ends, direction marks and zero-width characters, which control a terminal or disguise text. */
const UNSAFE_CHARACTERS = /[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c]/gu;

/** Escapes terminal control in client text as `\u001b`. */
export function safeText(text: string): string {
  return text.replace(UNSAFE_CHARACTERS, escapeCharacter);
}

/** JSON without terminal control, which parses to the same value. */
export function safeJson(value: unknown, space?: number): string {
  return JSON.stringify(value, null, space).replace(UNSAFE_CHARACTERS, (character) =>
    character === '\n' ? character : escapeCharacter(character),
  );
}

const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
