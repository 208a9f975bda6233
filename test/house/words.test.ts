import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

/**
 * One word for one thing (CONTRIBUTING.md "Words"): names that went, each with the word that stands in its place. A name is judged
 * by the words it is made of, so that `gatewayDoor` and `Deeds` are found as well.
 */
const RETIRED: readonly { name: RegExp; use: string; but?: readonly string[] }[] = [
  { name: /^(Door|door)s?$|Doors?(?![a-z])/, use: 'gateway to a system, listener to an address' },
  { name: /^Asked$/, use: 'RequestHead for what comes before the body' },
  { name: /^deeds?$|Deeds?(?![a-z])/, use: 'AuditEntry for what is audited, message for what happened to an order' },
  { name: /^witness|Witness/, use: 'AuditActor' },
  { name: /Serialised/, use: 'Mutex' },
  { name: /Steady/, use: 'the name of what it does' },
  { name: /^MOST_|_AT_MOST|^AT_MOST/, use: 'MAX_… or …_LIMIT' },
  { name: /OrderChange|ChangeOutcome/, use: 'DecidedMessage, ApplyOutcome: what is decided on is a message' },
  {
    name: /^faults?$|[a-z]Faults?(?![a-z])|Fault(s|Of|ed)?(?![a-z])|^faultOf/,
    use: 'issue for bad input, refusal for an ApiError',
    but: ['isOurFault'],
  },
];

const root = join(__dirname, '../..');
const sources = ['src', 'workflows', 'activities'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path)),
);

describe('names', () => {
  it('none that was retired stands in the code', () => {
    const found = sources.flatMap((path) => retiredIn(readFileSync(join(root, path), 'utf8')).map((name) => `${path}: ${name}`));
    expect(found).toEqual([]);
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
  return [...names].flatMap((name) =>
    RETIRED.filter((word) => word.name.test(name) && !word.but?.includes(name)).map(({ use }) => `${name}: say ${use}`),
  );
}

function collect(node: unknown, names: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'Identifier' && 'value' in node) names.add(String(node.value));
  for (const child of Object.values(node)) collect(child, names);
}
