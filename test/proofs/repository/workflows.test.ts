import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';

const WORKFLOW = path.join('.github', 'workflows', 'ci.yml');
const isInstalled = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
/** `actionlint` on the PATH, or a version that Go builds. */
const ACTIONLINT = isInstalled('actionlint') ? ['actionlint'] : ['go', 'run', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12'];

(isInstalled(ACTIONLINT[0] ?? '') ? it : it.skip)(
  'actionlint accepts the workflow (needs actionlint or Go)',
  () => {
    const [program = '', ...args] = ACTIONLINT;
    const { status, stdout } = spawnSync(program, [...args, WORKFLOW], { cwd: projectRoot, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  },
  180_000,
);

it('the workflow runs .ci/run, with actions pinned by commit', () => {
  const text = readFileSync(path.join(projectRoot, WORKFLOW), 'utf8');
  expect(text).toMatch(/^ +- run: \.ci\/run$/m);
  for (const [, action = ''] of text.matchAll(/uses: (\S+)/g)) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
});
