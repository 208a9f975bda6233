/** What the API says of `line 0 (the 1st)`, as people count: `line 1`. */
const countedFromOne = (words: string): string =>
  words.replaceAll(/\bline (\d+) \(the \d+(?:st|nd|rd|th)\)/g, (_all, line: string) => `line ${Number(line) + 1}`);

/** What the API says of why something cannot be done, or needs a person, without the words that only programs know. */
export function reasonInWords(reason: string): string {
  const words = reason
    .replace(/: DELETE \/accounts\/\S+$/, ', at the account')
    .replaceAll('send production_started first', 'start production first')
    .replaceAll(/\b(?:in_production|on_hold|production_started)\b/g, (word) => word.replace('_', ' '));
  return countedFromOne(words);
}
