import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from '@swc/core';

/**
 * One word for one thing (CONTRIBUTING.md "Words"): names that went, each with the word that stands in its place. A name is judged
 * by the words it is made of, however they are put together (`-gateway-door-`); `written` as it stands.
 */
const RETIRED: readonly { words?: RegExp; written?: RegExp; use: string; but?: readonly string[] }[] = [
  { words: /-doors?-/, use: 'gateway to a system, listener to an address' },
  { written: /^(?=[A-Z][a-z]).*Asked(?![a-z])/, use: 'RequestHead for what comes before the body' },
  { words: /-deeds?-/, use: 'AuditEntry for what is audited, message for what happened to an order' },
  { words: /-witness/, use: 'AuditActor' },
  { words: /-serialised-/, use: 'Mutex' },
  { words: /-steady-/, use: 'the name of what it does' },
  { written: /^MOST(?:_|$)|AT_MOST/, use: 'MAX_… or …_LIMIT' },
  { words: /-order-changes?-|-change-outcomes?-/, use: 'DecidedMessage, ApplyOutcome: what is decided on is a message' },
  { words: /-fault(?:s|ed|y)?-/, use: 'issue for bad input, refusal for an ApiError', but: ['isOurFault'] },
];

const root = join(__dirname, '../..');
const sources = ['src', 'workflows', 'activities', 'dev', 'demo'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path)),
);

describe('names', () => {
  it('none that was retired stands in the code', () => {
    const found = sources.flatMap((path) => retiredIn(readFileSync(join(root, path), 'utf8')).map((name) => `${path}: ${name}`));
    expect(found).toEqual([]);
  });

  it('nor in the name of a file or a folder', () => {
    expect(sources.flatMap((path) => path.split(sep).flatMap((name) => judged(name.replace(/\.ts$/, ''))))).toEqual([]);
    expect(judged('front-door')).toHaveLength(1);
  });

  it.each([
    ['export class FrontDoor {}', 'FrontDoor'],
    ['const door = 1;', 'door'],
    ['interface Asked { id: string }', 'Asked'],
    ['type Deeds = string[];', 'Deeds'],
    ['function witnessed() {}', 'witnessed'],
    ['class SerialisedWork {}', 'SerialisedWork'],
    ['class SteadyClient {}', 'SteadyClient'],
    ['const MOST_TRIED = 1;', 'MOST_TRIED'],
    ['type A = OrderChange;', 'OrderChange'],
    ['const { faults } = read();', 'faults'],
    ['function bookFaults() {}', 'bookFaults'],
    ['const gatewayDoor = 1;', 'gatewayDoor'],
    ['const front_door = 1;', 'front_door'],
    ['const OPEN_DOORS = 2;', 'OPEN_DOORS'],
    ['const lastDeed = 1;', 'lastDeed'],
    ['class A { #door = 1; }', 'door'],
    ['class A { #lastDeed() {} }', 'lastDeed'],
    ['interface DoorFaces {}', 'DoorFaces'],
    ['const faultText = 1;', 'faultText'],
    ['const inputFault = 1;', 'inputFault'],
    ['const BOOK_FAULTS = 1;', 'BOOK_FAULTS'],
    ['interface QuoteAsked { id: string }', 'QuoteAsked'],
    ['const MOST = 5;', 'MOST'],
  ])('a planted one is found in %s', (code, name) => {
    expect(retiredIn(code)).toEqual([expect.stringContaining(`${name}:`)]);
  });

  it.each(['const defaults = outdoors;', 'const isOurFault = asked;', 'const wholeChange = applyChange;'])('%s is free of them', (code) => {
    expect(retiredIn(code)).toEqual([]);
  });
});

function retiredIn(source: string): string[] {
  const names = new Set<string>();
  collect(parseSync(source, { syntax: 'typescript', target: 'es2022' }), names);
  return [...names].flatMap(judged);
}

/** `gatewayDoors`, `GATEWAY_DOORS`, `HTTPDoors`, `gateway-doors`: `-gateway-doors-`. */
function wordsOf(name: string): string {
  const words = name.split(/[^\p{L}\d]+|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|\d+/u).filter((word) => word !== '');
  return `-${words.join('-').toLowerCase()}-`;
}

/** The name and what to say instead, where it was retired. */
function judged(name: string): string[] {
  const found = RETIRED.filter(({ words, written, but }) => !but?.includes(name) && (words?.test(wordsOf(name)) || written?.test(name)));
  return found.map(({ use }) => `${name}: say ${use}`);
}

function collect(node: unknown, names: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && (node.type === 'Identifier' || node.type === 'PrivateName') && 'value' in node) names.add(String(node.value));
  for (const child of Object.values(node)) collect(child, names);
}
