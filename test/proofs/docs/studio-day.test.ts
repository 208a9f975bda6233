import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../../scripts/start/ports';
import { GUIDES_RECEIVER_ORIGIN } from '../../../scripts/start/settings';
import { startService } from '../../support/service';
import { followPage } from './page-follower';
import { readGuide, stepsOf, type ReaderStep } from '../../unit/docs/snippets';
import { builtFile } from '../../support/infrastructure';

const PAGE = 'docs/studio-day.md';

/** `npx trade-print …` finds the program of the current project. */
const NPX = `#!/bin/sh
test "$1" = trade-print || exit 127
shift
exec "${process.execPath}" "${builtFile('src', 'cli', 'index.js')}" "$@"
`;

/** Output on standard error is checked as well. */
const STDERR_TO_STDOUT = 'exec 2>&1';
/** Programs are saved in the page's folder, which may have files of an earlier run. */
const EARLIER_RUN = 'mkdir day; touch day/dunes.webp day/repaired';
const MOVE_PROGRAMS = 'mv ../*.mjs .';

const extraStep = (script: string): ReaderStep => ({ kind: 'run', script, line: 0 });

it('docs/studio-day.md: following its steps on the command line gives the shown results', async () => {
  const port = String(await findFreePort());
  const service = await startService({
    inspector: true,
    // No retry falls into the day: the only attempts are the first one and the resent one.
    env: { WEBHOOK_ALLOWED_ORIGINS: `http://127.0.0.1:${port}`, WEBHOOK_RETRY_SCHEDULE: '1h,1h,1h,1h,1h,1h' },
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'studio-day-'));
  try {
    await writeFile(path.join(folder, 'admin-token'), service.adminToken);
    await writeFile(path.join(folder, 'npx'), NPX);
    await chmod(path.join(folder, 'npx'), 0o755);
    const placeholders = {
      '.data/admin-token': path.join(folder, 'admin-token'),
      'http://127.0.0.1:8080': `http://127.0.0.1:${service.api.tradePort}`,
      [new URL(GUIDES_RECEIVER_ORIGIN).port]: port,
    };
    const page = Object.entries(placeholders).reduce((text, [written, here]) => text.replaceAll(written, here), readGuide(PAGE));
    const env = { PATH: `${folder}:${process.env['PATH']}`, STUDIO_URL: `http://127.0.0.1:${service.api.studioPort}` };
    const [first, ...rest] = stepsOf(page);
    if (first === undefined) throw new Error('the page is empty');
    const steps = [extraStep(`${STDERR_TO_STDOUT}; ${EARLIER_RUN}`), first, extraStep(MOVE_PROGRAMS), ...rest];
    expect(await followPage(steps, env)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await service.stop();
  }
});
