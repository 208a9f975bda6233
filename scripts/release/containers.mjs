// Runs buildah and podman with separate storage and networks, so that they do not affect other containers of the machine.

import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PACKAGES = 'buildah podman runc netavark aardvark-dns catatonit iptables';
/** The folder of programs that the set-up and the stand-ins install once. */
export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'trade-print');
/** The folder that keeps images between runs. */
const STORAGE = join(CACHE, 'containers');

const isInstalled = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** @throws Error if a program is missing */
export function requirePrograms(programs, reason) {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length > 0) throw new Error(`cannot find ${missing.join(' and ')}; ${reason}`);
}

export function requireContainers() {
  requirePrograms(['buildah', 'podman'], `on Debian, install them as root: apt-get install --no-install-recommends ${PACKAGES}`);
  mkdirSync(join(STORAGE, 'networks'), { recursive: true, mode: 0o700 });
  mkdirSync(join(STORAGE, 'tmp'), { recursive: true });
  const files = {
    'storage.conf': `[storage]\ndriver = "overlay"\ngraphroot = "${STORAGE}/storage"\nrunroot = "${STORAGE}/run"\n`,
    'registries.conf': 'unqualified-search-registries = ["docker.io"]\n',
    // These settings work without systemd.
    'containers.conf': `[containers]
default_ulimits = []
init_path = "/usr/bin/catatonit"
[engine]
${isInstalled('runc') ? 'runtime = "runc"\n' : ''}cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "${STORAGE}/networks"
`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(STORAGE, name), text);
}

const environment = {
  ...process.env,
  CONTAINERS_STORAGE_CONF: join(STORAGE, 'storage.conf'),
  CONTAINERS_REGISTRIES_CONF: join(STORAGE, 'registries.conf'),
  CONTAINERS_CONF: join(STORAGE, 'containers.conf'),
  TMPDIR: join(STORAGE, 'tmp'),
};

const execute = promisify(execFile);

/** Runs a program and returns its standard output without the final line break. */
export async function run(program, args, { timeoutMs = 0 } = {}) {
  try {
    const { stdout } = await execute(program, args, { env: environment, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 });
    return stdout.trimEnd();
  } catch (error) {
    const output = `${error.stdout ?? ''}${error.stderr ?? ''}`.trimEnd().split('\n').slice(-30).join('\n');
    throw new Error(`${program} ${args.slice(0, 2).join(' ')} failed${error.killed ? ' (time is up)' : ''}:\n${output}`, { cause: error });
  }
}

export const podman = (...args) => run('podman', args);

export const hasImage = (image) =>
  podman('image', 'exists', image).then(
    () => true,
    () => false,
  );

/** Pulls an image. Returns false if no registry can be reached. */
export async function pull(image) {
  if (await hasImage(image)) return true;
  return run('podman', ['pull', '--quiet', image], { timeoutMs: 300_000 }).then(
    () => true,
    () => false,
  );
}

/** Mounts that give the build the machine's certificate authorities and npm registry. The image does not contain them. */
async function buildVolumes() {
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  const npmrc = join(STORAGE, 'npmrc');
  const registry = await run('npm', ['config', 'get', 'registry']);
  writeFileSync(npmrc, `registry=${registry}\n${authorities === undefined ? '' : 'cafile=/run/build-authorities.pem\n'}`);
  const volumes = [`${npmrc}:/root/.npmrc:ro`];
  if (authorities !== undefined && existsSync(authorities)) volumes.push(`${authorities}:/run/build-authorities.pem:ro`);
  return volumes;
}

/** Builds an image; the build arguments become its labels. */
export async function build({ tag, context, dockerfile = join(context, 'Dockerfile'), buildArguments = {} }) {
  const volumes = await buildVolumes();
  await run('buildah', [
    'bud',
    '--isolation=chroot',
    '--format=docker',
    '--layers=false',
    '--pull=false',
    ...volumes.flatMap((volume) => ['--volume', volume]),
    ...Object.entries(buildArguments).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    `--file=${dockerfile}`,
    `--tag=${tag}`,
    context,
  ]);
}

export async function inspectImage(image) {
  const [found] = JSON.parse(await podman('image', 'inspect', image));
  return found;
}

/** Removes the containers, volumes and networks of a run. Images stay for later runs. */
export async function cleanUp(prefix) {
  const names = async (...args) => (await podman(...args)).split('\n').filter((name) => name.startsWith(prefix));
  for (const name of await names('ps', '--all', '--format', '{{.Names}}')) await podman('rm', '--force', '--time', '1', '--volumes', name);
  for (const name of await names('volume', 'ls', '--format', '{{.Name}}')) await podman('volume', 'rm', '--force', name);
  for (const name of await names('network', 'ls', '--format', '{{.Name}}')) await podman('network', 'rm', '--force', name);
  await podman('image', 'prune', '--force');
  const mounts = readFileSync('/proc/self/mounts', 'utf8').matchAll(/^\S+ (\S+) /gm);
  const ours = [...mounts].map(([, folder]) => folder).filter((folder) => folder.startsWith(`${STORAGE}/`));
  for (const folder of ours.toReversed()) await run('umount', [folder]).catch(() => undefined);
}
