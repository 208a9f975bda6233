import { readFileSync } from 'node:fs';
import path from 'node:path';
import { TradePrint } from '@trade-print/client';
import { projectRoot } from '../../dev/project';

const README = readFileSync(path.join(projectRoot, 'packages', 'client', 'README.md'), 'utf8');

it('the README names every call, and no other', () => {
  const client = new TradePrint({ apiKey: 'lpk_test_key' });
  const calls = Object.entries(client).flatMap(([name, resource]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
      .filter((method) => method !== 'constructor')
      .map((method) => `${name}.${method}`),
  );
  const told = [...README.matchAll(/^\| `(\w+\.\w+)\(/gm)].map(([, call]) => call);
  expect(told.toSorted()).toEqual(calls.toSorted());
});
