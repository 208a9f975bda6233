/** Counts lines from one: `line 0 (the 1st)` becomes `line 1`. */
const countFromOne = (words: string): string =>
  words.replaceAll(/\bline (\d+) \(the \d+(?:st|nd|rd|th)\)/g, (_all, line: string) => `line ${Number(line) + 1}`);

/** A reason of the API in plain words. */
export function reasonInWords(reason: string): string {
  const words = reason
    .replace(/: DELETE \/accounts\/\S+$/, ' on the account page')
    .replaceAll('send production_started first', 'start production first')
    .replaceAll(/\b(?:in_production|on_hold|production_started)\b/g, (word) => word.replace('_', ' '));
  return countFromOne(words);
}
