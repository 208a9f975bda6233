import { EVENT_TYPES } from '../../../src/domain/events';
import { presentPing } from '../../../src/presenters/events';
import { findDifferences, readGuide } from './snippets';

const PAGE = readGuide('docs/guides/webhooks.md');

describe('docs/guides/webhooks.md', () => {
  it('shows the body of a ping and the fields of every event', () => {
    const [event, ping] = [...PAGE.matchAll(/^ *```json\n([^]*?)^ *```$/gm)].map(([, text = '']) => JSON.parse(text) as object);
    const sent = JSON.parse(presentPing({ id: 'evt_1', createdAt: new Date(), environment: 'live', endpointId: 'whe_1' })) as object;
    expect(findDifferences({ ...ping, createdAt: '…Z' }, sent)).toEqual([]);
    expect(Object.keys(ping ?? {})).toEqual(Object.keys(sent));
    expect(Object.keys(event ?? {})).toEqual(Object.keys(sent));
  });

  it('names exactly the existing event types', () => {
    const named = PAGE.match(/(?<=[`'"])(order\.[a-z_]+|ping)(?=[`'"])/g) ?? [];
    expect([...new Set(named)].sort()).toEqual([...EVENT_TYPES].sort());
  });
});
