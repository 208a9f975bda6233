import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../scripts/start/project';

it('every location of the nginx example forwards what a sign-in needs', () => {
  const page = readFileSync(join(projectRoot, 'docs/operations/load-balancers.md'), 'utf8');
  const [, nginx = ''] = /```nginx\n(.*?)```/s.exec(page) ?? [];
  const locations = nginx.match(/location [^{]*\{[^}]*\}/g) ?? [];
  expect(locations.length).toBeGreaterThan(0);
  for (const location of locations)
    for (const header of ['Host $host', 'X-Forwarded-For $remote_addr', 'X-Forwarded-Proto $scheme'])
      expect(location).toContain(`proxy_set_header ${header};`);
});
