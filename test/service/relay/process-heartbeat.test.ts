import type { Database } from '../../../src/db/database';
import { createLogger } from '../../../src/platform/logger';
import { ProcessHeartbeat } from '../../../src/runtime/process-heartbeat';
import { useDatabase } from '../../support/fixtures';

const { database } = useDatabase();

it('a process that stops while its heartbeat is being stored is not listed', async () => {
  let store: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => (store = resolve));
  const run: Database['run'] = async (text, parameters) => {
    if (text.includes('INSERT')) await allowed;
    await database.run(text, parameters);
  };
  const slow = { run } as Database;
  const heartbeat = new ProcessHeartbeat({ database: slow, logger: createLogger('silent', 'test') }, 'relay');
  heartbeat.start();
  const stopped = heartbeat.stop();
  store();
  await stopped;
  expect(await database.column('SELECT id FROM processes')).toEqual([]);
});
