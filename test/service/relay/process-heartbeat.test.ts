import type { Database } from '../../../src/db/database';
import { createLogger } from '../../../src/platform/logger';
import { ProcessHeartbeat } from '../../../src/runtime/process-heartbeat';
import { useDatabase } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';

const { database } = useDatabase();

/** A heartbeat whose inserts wait for `store`. */
function aSlowHeartbeat() {
  let store: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => (store = resolve));
  const inserts: string[] = [];
  const run: Database['run'] = async (text, parameters) => {
    if (text.includes('INSERT')) {
      inserts.push(text);
      await allowed;
    }
    await database.run(text, parameters);
  };
  const slow = { run } as Database;
  return { heartbeat: new ProcessHeartbeat({ database: slow, logger: createLogger('silent', 'test') }, 'relay'), inserts, store };
}

const listProcesses = () => database.column('SELECT id FROM processes');

it('a process that stops while its heartbeat is being stored is not listed', async () => {
  const { heartbeat, store } = aSlowHeartbeat();
  heartbeat.start();
  const stopped = heartbeat.stop();
  store();
  await stopped;
  expect(await listProcesses()).toEqual([]);
});

it('a heartbeat begins only when the one before is stored, so a stop waits for all', async () => {
  const { heartbeat, inserts, store } = aSlowHeartbeat();
  const intervals = jest.spyOn(globalThis, 'setInterval');
  heartbeat.start();
  const beat = intervals.mock.calls[0]?.[0] as () => void;
  intervals.mockRestore();
  beat();
  expect(inserts).toHaveLength(1);
  store();
  await waitFor('the next heartbeat', async () => {
    beat();
    return inserts.length === 2;
  });
  await heartbeat.stop();
  expect(await listProcesses()).toEqual([]);
});
