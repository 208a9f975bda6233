import { readdirSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '../../../scripts/start/ports';
import { projectRoot } from '../../../scripts/start/project';
import { GUIDES_RECEIVER_ORIGIN } from '../../../scripts/start/settings';
import { anAccount } from '../../support/accounts';
import { temporalAddress } from '../../support/infrastructure';
import { startService, type TestService } from '../../support/service';
import { followPage } from './page-follower';
import { findDifferences, readGuide, stepsOf } from '../../unit/docs/snippets';

const GUIDES = readdirSync(path.join(projectRoot, 'docs', 'guides'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/guides/${name}`)
  .toSorted();

/** The port of programs that a reader runs, such as a webhook receiver. */
const READER_PORT = new URL(GUIDES_RECEIVER_ORIGIN).port;

const isForStudio = (guide: string): boolean => /studio|floor/.test(guide);

/** Follows the steps of a page against this service. @returns differences from the page */
async function followGuide(guide: string, service: TestService, port: number): Promise<string[]> {
  const { testKey } = await anAccount(service.deps.database);
  /** Placeholder values of the pages, and their values in this test. */
  const placeholders = {
    'KEY=lpk_test_…': `KEY=${testKey}`,
    'TOKEN=lps_…': `TOKEN=${service.adminToken}`,
    'CHECKOUT=…': `CHECKOUT='${projectRoot}'`,
    'http://127.0.0.1:8080': `http://127.0.0.1:${service.api.tradePort}`,
    'http://127.0.0.1:8081': `http://127.0.0.1:${service.api.studioPort}`,
    '127.0.0.1:7233': await temporalAddress(),
    '--task-queue orders': `--task-queue ${service.taskQueue}`,
    "taskQueue: 'orders'": `taskQueue: '${service.taskQueue}'`,
    [READER_PORT]: String(port),
  };
  const page = Object.entries(placeholders).reduce((filled, [written, here]) => filled.replaceAll(written, here), readGuide(guide));
  return followPage(stepsOf(page));
}

describe.each([
  ['clients', GUIDES.filter((guide) => !isForStudio(guide))],
  ['the studio', GUIDES.filter(isForStudio)],
])('the guides for %s', (_whom, guides) => {
  let service: TestService;
  let port: number;
  beforeAll(async () => {
    port = await findFreePort();
    service = await startService({ inspector: true, env: { WEBHOOK_ALLOWED_ORIGINS: `http://127.0.0.1:${port}` } });
  });
  afterAll(() => service.stop());

  it.each(guides)('%s: following its steps gives the shown results', async (guide) => {
    expect(await followGuide(guide, service, port)).toEqual([]);
  });
});

describe('the comparison of results', () => {
  it.each<[string, unknown, unknown, string[]]>([
    ['a text with a gap', { id: 'ord_…' }, { id: 'ord_17', more: 1 }, []],
    ['another text', { id: 'ord_…' }, { id: 'quo_17' }, ['.id: shown "ord_…", came "quo_17"']],
    ['a missing field', { id: 1 }, {}, ['.id is not there']],
    ['a number', { n: 1 }, { n: 2 }, ['.n: shown 1, came 2']],
    ['a list that is longer', [1], [1, 2], ['.: 1 shown, 2 came']],
    ['a longer list', [1, '…'], [1, 2], []],
    ['a list that is shorter', [1, 2, '…'], [1], ['.: 2 shown, 1 came']],
    ['no output', { id: 1 }, undefined, ['.: undefined is no object']],
  ])('%s', (_what, shown, came, faults) => {
    expect(findDifferences(shown, came)).toEqual(faults);
  });

  const run = (page: string) => followPage(stepsOf(page));
  it.each<[string, string, RegExp]>([
    ['a command that fails', '```sh\nfalse\n```\n', /^line 1: ended with 1/],
    ['a refusal that is not shown', '```sh\necho \'{"data":null,"error":{"code":"X"}}\'\n```\n', /^line 1: refused/],
    ['a response unlike the shown one', '```sh\necho \'{"a":1}\'\n```\n\n```json\n{"a":2}\n```\n', /^line 1: \.a: shown 2, came 1$/],
    ['a text unlike the shown one', '```sh\necho 1\n```\n```text\n2…\n```\n', /^line 1: printed 1/],
    ['a missing response', '```sh\ntrue\n```\n```json\n{"a":2}\n```\n', /^line 1: \.: undefined is no object$/],
  ])('%s is found', async (_what, page, fault) => {
    expect(await run(page)).toEqual([expect.stringMatching(fault)]);
  });

  it('an endless wait is found', async () => {
    const page = '```sh\nuntil false; do sleep 0.05; done\n```\n';
    expect(await followPage(stepsOf(page), {}, 5_000)).toEqual([expect.stringMatching(/^line 1: ended with null/)]);
  });

  it('blocks share variables and saved programs', async () => {
    expect(
      await run('```sh\nA=1\n```\nSave this as `a.mjs`:\n```js\nconsole.log("{}");\n```\n```sh\ntest $A = 1; node a.mjs\n```\n'),
    ).toEqual([]);
    expect(() => stepsOf('```js\n1\n```\n')).toThrow('line 1: a program that nobody is told to save');
  });
});
