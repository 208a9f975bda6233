import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../dev/project';
import { EVENT_TYPES } from '../../src/domain/events';

const PAGE = readFileSync(path.join(projectRoot, 'docs', 'webhooks.md'), 'utf8');

describe('docs/webhooks.md', () => {
  it('names every event type there is, and no other', () => {
    const named = PAGE.match(/(?<=[`'"])(order\.[a-z_]+|ping)(?=[`'"])/g) ?? [];
    expect([...new Set(named)].sort()).toEqual([...EVENT_TYPES].sort());
  });
});
