import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../../scripts/start/ports';
import { ProcessManager } from '../../../scripts/start/processes';
import { startTemporalDevServer } from '../../../scripts/start/temporal-dev-server';

describe("The Temporal dev server's file", () => {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-dev-server-'));
  const keeper = new ProcessManager(folder, 'temporary');
  afterAll(async () => {
    await keeper.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has a write-ahead log', async () => {
    const dbFile = join(folder, 'temporal.db');
    await startTemporalDevServer({
      port: await findFreePort(),
      dbFile,
      logFile: join(folder, 'temporal.log'),
      processManager: keeper,
    });
    const versions = Buffer.alloc(2); // of the file format for writing and reading: 1 is a rollback journal, 2 a write-ahead log
    const file = openSync(dbFile, 'r');
    readSync(file, versions, 0, 2, 18);
    closeSync(file);
    expect([...versions]).toEqual([2, 2]);
  });
});
