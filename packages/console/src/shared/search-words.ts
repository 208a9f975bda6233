/** Lower case without accents, with one kind of apostrophe and hyphen, as in the service's search. */
const plain = (text: string): string =>
  text
    .replace(/\u00b4/g, "'")
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\p{Cf}]/gu, '')
    .replace(/[`\u02b9\u02bb-\u02bf\u02c8\u02ca\u02cb\u2018-\u201b\u2032\u2035]/g, "'")
    .replace(/[\p{Pd}\u2043\u2212]/gu, '-')
    .replace(/ß/g, 'ss');

/** Whether a text has each word of a search, in any order. */
export const hasWords = (text: string, searched: string): boolean => {
  const searchable = plain(text);
  return plain(searched)
    .split(/\s+/)
    .every((word) => searchable.includes(word));
};
