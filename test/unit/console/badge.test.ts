import { badgeCode, keepBadge, setBadge } from '../../../packages/console/src/session/badge';

const MINUTE_MS = 60_000;

describe('the badge of a station', () => {
  const now = Date.now;
  let ms = 0;
  beforeEach(() => {
    Date.now = () => ms;
    setBadge({ id: 'bdg_1', name: 'Mia Chen', code: 'BADGE-7K3M9QTX2A' });
  });
  afterEach(() => {
    setBadge(null);
    Date.now = now;
  });

  it('lasts fifteen minutes from the last scan or step', () => {
    for (const minutes of [14, 14, 15]) {
      ms += minutes * MINUTE_MS;
      keepBadge();
      expect(badgeCode()).toBe('BADGE-7K3M9QTX2A');
    }
  });

  it('is forgotten after a tablet has slept, whose timers did not run, also if a scan comes first', () => {
    ms += 15 * MINUTE_MS + 1;
    keepBadge();
    expect(badgeCode()).toBeNull();
  });
});
