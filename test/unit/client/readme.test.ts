import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TradePrint } from '@trade-print/client';
import { projectRoot } from '../../../scripts/start/project';
import { blocksOf } from '../docs/snippets';

const PACKAGE = path.join(projectRoot, 'packages', 'client');
const README = readFileSync(path.join(PACKAGE, 'README.md'), 'utf8');

it('the README names exactly the existing calls', () => {
  const client = new TradePrint({ apiKey: 'lpk_test_key' });
  const calls = Object.entries(client).flatMap(([name, resource]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
      .filter((method) => method !== 'constructor')
      .map((method) => `${name}.${method}`),
  );
  const told = [...README.matchAll(/^- `(\w+\.\w+)\(/gm)].map(([, call]) => call);
  expect(told.toSorted()).toEqual(calls.toSorted());
});

/** Variables that the snippets expect from the surrounding program. */
const SNIPPET_DECLARATIONS = `type Package = typeof import('@trade-print/client');
declare const client: import('@trade-print/client').TradePrint;
declare const webhooks: Package['webhooks'];
declare const request: import('node:http').IncomingMessage;
declare const rawBody: Buffer;
declare const secret: string;
declare function readFromYourDatabase(): Promise<string | undefined>;
declare function requote(expiresAt: string): Promise<never>;
declare function later(): undefined;
`;

it('every snippet of the README compiles as a separate module in strict mode', () => {
  const snippets = blocksOf(README).filter(({ language }) => language === 'ts' || language === 'js');
  expect(snippets.length).toBeGreaterThan(3);
  const folder = mkdtempSync(path.join(tmpdir(), 'trade-print-readme-'));
  try {
    const files = snippets.map(({ text, line }) => {
      const file = `line-${line}.ts`;
      writeFileSync(path.join(folder, file), `${text}export {};\n`);
      return file;
    });
    writeFileSync(path.join(folder, 'around.d.ts'), SNIPPET_DECLARATIONS);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022'],
      module: 'es2022',
      moduleResolution: 'bundler',
      types: ['node'],
      typeRoots: [path.join(projectRoot, 'node_modules', '@types')],
      paths: {
        '@trade-print/client': [path.join(PACKAGE, 'dist', 'esm', 'index.d.ts')],
        undici: [path.join(projectRoot, 'node_modules', 'undici')],
      },
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [...files, 'around.d.ts'] }));
    const tsc = path.join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' });
    expect([stdout, status]).toEqual(['', 0]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
