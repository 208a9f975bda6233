import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createLogger } from '../../../src/platform/logger';
import { useSharedService } from '../../support/fixtures';

const { version } = JSON.parse(readFileSync(path.join(__dirname, '..', '..', '..', 'package.json'), 'utf8')) as { version: string };

describe('The release', () => {
  const service = useSharedService();

  const health = async (baseUrl: string): Promise<unknown> => (await fetch(new URL('/healthz', baseUrl))).json();

  it('is in /healthz of the studio and not in that of the public trade API', async () => {
    expect(await health(service.studio().baseUrl)).toEqual({ data: { status: 'ok', version, commit: 'unknown' }, error: null });
    expect(await health(service.trade().baseUrl)).toEqual({ data: { status: 'ok' }, error: null });
  });

  it('is in every log line', () => {
    const lines: string[] = [];
    const logger = createLogger('info', 'test', { write: (line) => void lines.push(line) });
    logger.info('one');
    logger.child({ part: 'x' }).error({ err: new Error('broken') }, 'two');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ name: 'test', version, commit: 'unknown' });
    expect(lines).toHaveLength(2);
  });
});
