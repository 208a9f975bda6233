import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { contractOf } from '../../support/contract';

const REDOCLY = join(projectRoot, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');

interface Problem {
  ruleId: string;
  message: string;
  location: { pointer: string }[];
}

/** Every problem that Redocly's linter has with a document by redocly.yaml, warnings included. */
function problemsOf(document: unknown): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-lint-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [REDOCLY, 'lint', '--config', join(projectRoot, 'redocly.yaml'), '--format', 'json', '--max-problems', '1000', file],
      // Disables the update check and telemetry.
      { encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    );
    if (!stdout.startsWith('{')) throw new Error(`the linter said no JSON: ${stdout.slice(0, 500)}${stderr.slice(0, 2000)}`);
    const { problems } = JSON.parse(stdout) as { problems: Problem[] };
    return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it.each(['trade', 'studio'] as const)('the linter finds no problem in the document of the %s API', (api) => {
  expect(problemsOf(contractOf(api).document)).toEqual([]);
});

it('the linter finds a planted problem', () => {
  const document = structuredClone(contractOf('trade').document);
  delete document.paths['/quotes'].post.operationId;
  expect(problemsOf(document).join('\n')).toContain('operation-operationId');
});
