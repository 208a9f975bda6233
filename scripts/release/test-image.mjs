// `npm run test:image` builds the image, starts the processes of docker-compose.yml, places an order and stops the processes. For the other
// services it uses the images of docker-compose.yml, or stand-ins if no registry can be reached. With `-- --no-build` it tests the image of the
// last run. The last line is "N passed, N failed".

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProject, readJson } from '../set-up/project.mjs';
import { inOrder, readCompose, runOptions, secondsOf } from './compose.mjs';
import { build, cleanUp, inspectImage, podman, pull, requireContainers, run } from './containers.mjs';
import { checkDatabase } from './database.mjs';
import { checkProxy } from './proxy.mjs';
import { fetchConsole, fetchPdf, fetchPreview, getJson, openAccount, placeOrder, until, waitForMail } from './order.mjs';
import { baseStandIn, serviceStandIns, STAND_IN_SERVICES } from './stand-ins.mjs';

const IMAGE = 'localhost/trade-print:release';
const MAX_BYTES_ABOVE_BASE = 300e6;
const SHUTDOWN_DELAY_MS = 3000;
const PROCESSES = ['api', 'worker', 'relay', 'inspector'];
/** A job fails until the services that it needs respond. Temporal, for example, opens its port before it responds. */
const MAX_JOB_ATTEMPTS = 30;

const prefix = `trade-print-release-${process.pid}`;
const folder = mkdtempSync(join(tmpdir(), 'trade-print-release-'));
const isBuilt = !process.argv.includes('--no-build');
const counts = { passed: 0, failed: 0 };
let hasContainers = false;

/**
 * Counts a check and prints its result and time.
 * @param work receives a function that adds a detail to the line
 * @returns the result of `work`; undefined if it failed
 */
async function check(title, work) {
  const startedAt = Date.now();
  let detail = '';
  const print = (result, more) => console.log(`${result}  ${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${title}${more}`);
  try {
    const result = await work((text) => {
      detail = `: ${text}`;
    });
    counts.passed += 1;
    print('passed', detail);
    return result ?? true;
  } catch (error) {
    counts.failed += 1;
    print('FAILED', `: ${error.message}`);
    return undefined;
  }
}

/** Runs a check that the following checks need. @throws Error if it fails */
async function need(title, work) {
  const result = await check(title, work);
  if (result === undefined) throw new Error('stopped');
  return result;
}

function expect(isTrue, message) {
  if (!isTrue) throw new Error(message);
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
const git = (...args) => spawnSync('git', ['-C', inProject(), ...args], { encoding: 'utf8' }).stdout.trim();

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Builds the project's Dockerfile. Without a registry, only the name of its base image is replaced. */
async function buildImage(release) {
  const text = readFileSync(inProject('Dockerfile'), 'utf8');
  const [, base] = /^FROM (node:\S+)/m.exec(text);
  const hasRegistry = await pull(`docker.io/library/${base}`);
  const [, nodeVersion] = /^node:([\d.]+)/.exec(base);
  const image = hasRegistry
    ? `docker.io/library/${base}`
    : await need(`base of Debian and Node ${nodeVersion} without a registry`, () => baseStandIn(nodeVersion));
  const dockerfile = join(folder, 'Dockerfile');
  writeFileSync(dockerfile, text.replace(base, image));
  if (isBuilt) await need('build', () => build({ tag: IMAGE, context: inProject(), dockerfile, buildArguments: release }));
  return { base: image, hasRegistry };
}

/** The build arguments of an image, by its labels. */
async function releaseOf(name) {
  const labels = (await inspectImage(name)).Config.Labels;
  const label = (key) => labels[`org.opencontainers.image.${key}`];
  return { VERSION: label('version'), GIT_COMMIT: label('revision'), SOURCE: label('source'), CREATED: label('created') };
}

async function checkImage(base, release) {
  const [image, below] = [await inspectImage(IMAGE), await inspectImage(base)];
  await check(`at most ${megabytes(MAX_BYTES_ABOVE_BASE)} above the base`, async (note) => {
    const above = image.Size - below.Size;
    const sizes = `${megabytes(above)} above the base of ${megabytes(below.Size)}, ${megabytes(image.Size)} in all`;
    expect(above <= MAX_BYTES_ABOVE_BASE, sizes);
    note(sizes);
  });
  await check('labels, numeric user, no volume', async () => {
    const labels = await releaseOf(IMAGE);
    for (const [name, value] of Object.entries(release)) expect(labels[name] === value, `the label of ${name} is ${labels[name]}`);
    expect(image.Config.User === '1000:1000', `the user is ${image.Config.User}`);
    expect(Object.keys(image.Config.Volumes ?? {}).length === 0, 'it declares a volume');
  });
}

const isOwnImage = ({ image }) => image.startsWith('trade-print:');

/** Runs services of docker-compose.yml. */
class Services {
  constructor(compose, { images, ports }) {
    this.compose = compose;
    this.images = images;
    this.ports = ports;
  }

  container(name) {
    return `${prefix}-${name}`;
  }

  /** The published ports of a container. A second container of a service publishes none. */
  portsOf(container) {
    return this.ports[container.slice(prefix.length + 1)] ?? {};
  }

  arguments(name, container, { isDetached = true, commandOf } = {}) {
    const service = this.compose.services[name];
    const isOwn = isOwnImage(service);
    const standIn = isOwn || this.images === null ? {} : STAND_IN_SERVICES[name];
    const image = isOwn ? IMAGE : (this.images ?? `docker.io/${service.image.includes('/') ? '' : 'library/'}${service.image}`);
    const entrypoint = standIn.entrypoint ?? service.entrypoint;
    const command = commandOf ?? standIn.command ?? service.command ?? [];
    return [
      'run',
      ...(isDetached ? ['--detach'] : ['--rm']),
      `--name=${container}`,
      `--hostname=${name}`,
      ...runOptions(service, { prefix, name, ports: this.portsOf(container), compose: this.compose, folder, projectFolder: inProject() }),
      ...(entrypoint ? ['--entrypoint', JSON.stringify(entrypoint)] : []),
      image,
      ...command.map(String),
    ];
  }

  /**
   * Starts a service. If other services wait for its end, it is a job, and the call waits for that end. Otherwise it waits until it is
   * healthy.
   */
  async start(name) {
    const conditions = Object.values(this.compose.services).map(({ depends_on = {} }) => depends_on[name]?.condition);
    if (conditions.includes('service_completed_successfully')) return this.runJob(name);
    await podman(...this.arguments(name, this.container(name)));
    const { image, healthcheck } = this.compose.services[name];
    if (healthcheck?.disable || (healthcheck === undefined && !isOwnImage({ image }))) return undefined;
    return until(`${name} is healthy`, 120, () => this.isHealthy(name));
  }

  async isHealthy(name) {
    const [{ State: state }] = JSON.parse(await podman('inspect', this.container(name)));
    if (!state.Running) throw new Error(`it ended with ${state.ExitCode}: ${await this.lastLines(name)}`);
    await podman('healthcheck', 'run', this.container(name));
    return true;
  }

  async runJob(name) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await podman(...this.arguments(name, this.container(name), { isDetached: false }));
      } catch (error) {
        if (attempt === MAX_JOB_ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  }

  /** Runs another command of a service once, as `docker compose run --rm` does. */
  runOnce(name, ...command) {
    return podman(...this.arguments(name, `${this.container(name)}-once`, { isDetached: false, commandOf: command }));
  }

  exec(name, ...command) {
    return podman('exec', this.container(name), ...command);
  }

  async lastLines(name) {
    return (await podman('logs', '--tail', '8', this.container(name))).trim();
  }
}

/** Sends SIGTERM and returns the exit code and the time. */
async function terminate(container) {
  const startedAt = Date.now();
  await podman('kill', '--signal', 'TERM', container);
  const code = Number(await podman('wait', container));
  return { code, ms: Date.now() - startedAt };
}

async function checkConfinement(services) {
  for (const name of PROCESSES) {
    await check(`${name} has the rights and limits of docker-compose.yml`, async (note) => {
      const status = await services.exec(name, 'cat', '/proc/1/status');
      const field = (key) => new RegExp(`^${key}:\\s+(.+)$`, 'm').exec(status)?.[1];
      const capabilities = name === 'inspector' ? '00000000000000e1' : '0000000000000000';
      expect(field('CapEff') === capabilities, `CapEff is ${field('CapEff')}`);
      expect(field('CapBnd') === capabilities, `CapBnd is ${field('CapBnd')}`);
      expect(field('NoNewPrivs') === '1', 'it can gain privileges');
      expect(field('Uid').startsWith(name === 'inspector' ? '0' : '1000'), `the user is ${field('Uid')}`);
      const written = await services.exec(
        name,
        'sh',
        '-c',
        'for f in /app /etc /usr/local/bin; do (: > $f/x) 2>/dev/null && echo $f; done; true',
      );
      expect(written === '', `it can write to ${written}`);
      const [{ HostConfig: host }] = JSON.parse(await podman('inspect', services.container(name)));
      expect(host.Memory > 0 && host.PidsLimit > 0, `memory ${host.Memory}, processes ${host.PidsLimit}`);
      note(await podman('stats', '--no-stream', '--format', '{{.MemUsage}}, {{.PIDS}} threads', services.container(name)));
    });
  }
}

async function checkRelease(services, { studioRoot, tradeRoot }, release) {
  await check('version and commit in /healthz of the studio and in each log line, and not in /healthz of the trade API', async () => {
    const { data } = await getJson(new URL('/healthz', studioRoot));
    expect(data.version === release.VERSION && data.commit === release.GIT_COMMIT, JSON.stringify(data));
    const { data: atTrade } = await getJson(new URL('/healthz', tradeRoot));
    expect(Object.keys(atTrade).join() === 'status', JSON.stringify(atTrade));
    for (const name of PROCESSES) {
      const lines = (await podman('logs', services.container(name))).split('\n').filter((line) => line.startsWith('{'));
      expect(lines.length > 0, `${name} logs nothing`);
      for (const line of lines) expect(JSON.parse(line).commit === release.GIT_COMMIT, `${name} logs ${line.slice(0, 200)}`);
    }
  });
}

/** The certificate of the proxy's local authority, which it uses for names below localhost. */
const readAuthority = (services) =>
  need('the proxy has an authority for names below localhost', () =>
    until('the certificate', 30, () => services.exec('proxy', 'cat', '/data/caddy/pki/authorities/local/root.crt')),
  );

async function checkOrder(services, { studioRoot, tradeUrl, mailUrl }, proxy) {
  const studioUrl = `${studioRoot}studio/v1`;
  // podman's name server answers nobody while it waits for the name server of the machine, so a name can be found only later.
  const token = await need('first admin token', () =>
    until('first admin token', 60, async () => {
      const output = await services.exec('api', 'trade-print', 'tokens', 'create-admin', '--name', 'Release');
      return output.split('\n').at(-1);
    }),
  );
  const { key } = await need('account and live key', () => openAccount(studioUrl, token));
  const { orderId, orderNumber } = await need('order with artwork', () => placeOrder(tradeUrl, key, proxy));
  await check('job sheet', async (note) => note(await fetchPdf(`${studioUrl}/orders/${orderId}/job-sheet.pdf`, token)));
  await check('invoice', async (note) => note(await fetchPdf(`${tradeUrl}/orders/${orderId}/invoice.pdf`, key)));
  await check('preview', async (note) => note(await fetchPreview(`${studioUrl}/orders/${orderId}/lines/0/preview`, token)));
  await check('console', async (note) => note(await fetchConsole(studioRoot)));
  await check('readiness of all parts', (note) =>
    until('readiness', 60, async () => {
      const { data } = await getJson(new URL('/readyz', studioRoot));
      const missing = Object.entries(data.checks).filter(([, state]) => state !== 'ok');
      if (missing.length > 0) throw new Error(JSON.stringify(missing));
      note(Object.keys(data.checks).join(', '));
      return true;
    }),
  );
  await check('confirmation mail, a minute after the order, through SMTP_URL', async (note) =>
    note(await waitForMail(mailUrl, orderNumber)),
  );
  return { token, key, orderId };
}

async function checkStop(services) {
  for (const name of PROCESSES) {
    await check(`${name} ends after SIGTERM`, async (note) => {
      const graceMs = secondsOf(services.compose.services[name].stop_grace_period) * 1000;
      const { code, ms } = await terminate(services.container(name));
      expect(code === 0, `exit code ${code}: ${await services.lastLines(name)}`);
      expect(ms < graceMs, `it took ${ms} ms of ${graceMs}`);
      const [
        {
          Config: { StopTimeout: seconds },
        },
      ] = JSON.parse(await podman('inspect', services.container(name)));
      expect(seconds * 1000 === graceMs, `the container has ${seconds} s`);
      if (name === 'api') expect(graceMs === SHUTDOWN_DELAY_MS + 15_000 && ms >= SHUTDOWN_DELAY_MS, `${ms} ms of ${graceMs}`);
      note(`exit code 0 after ${ms} ms of ${graceMs}`);
    });
  }
  for (const name of PROCESSES) {
    await check(`${name} ends if SIGTERM comes at once`, async (note) => {
      const container = `${services.container(name)}-early`;
      await podman(...services.arguments(name, container));
      const { code, ms } = await terminate(container);
      // The exit code is 143 if the signal arrived before Node ran any code of the service.
      expect(code === 0 || code === 143, `exit code ${code}`);
      note(`exit code ${code} after ${ms} ms`);
    });
  }
}

async function main() {
  requireContainers();
  hasContainers = true;
  const release = isBuilt
    ? {
        VERSION: readJson(inProject('package.json')).version,
        GIT_COMMIT: git('rev-parse', 'HEAD'),
        SOURCE: git('config', '--get', 'remote.origin.url'),
        CREATED: new Date().toISOString(),
      }
    : await releaseOf(IMAGE);
  const { base, hasRegistry } = await buildImage(release);
  await checkImage(base, release);

  const ports = {
    api: { 8080: await freePort(), 8081: await freePort() },
    mail: { 8025: await freePort() },
    proxy: { 443: await freePort() },
  };
  const urls = {
    tradeRoot: `http://127.0.0.1:${ports.api[8080]}/`,
    tradeUrl: `http://127.0.0.1:${ports.api[8080]}/v1`,
    studioRoot: `http://127.0.0.1:${ports.api[8081]}/`,
    mailUrl: `http://127.0.0.1:${ports.mail[8025]}/api/v1/messages`,
  };
  const secretsFolder = join(folder, 'secrets');
  await run('sh', [inProject('deploy', 'make-secrets.sh'), secretsFolder]);
  const smtpFile = join(folder, 'smtp-url');
  writeFileSync(smtpFile, 'smtp://mail:1025\n');
  const compose = readCompose(inProject('docker-compose.yml'), {
    VERSION: 'release',
    TRADE_HOST: 'api.localhost',
    STUDIO_HOST: 'studio.localhost',
    MAIL_FROM: 'Print studio <orders@prints.com.au>',
    STUDIO_MAIL_TO: 'studio@prints.com.au',
    SMTP_URL_FILE: smtpFile,
    SECRETS_DIR: secretsFolder,
    SHUTDOWN_DELAY: `${SHUTDOWN_DELAY_MS / 1000}s`,
    PROXY_NETWORK: '10.253.91.0/24',
  });
  const images = hasRegistry
    ? null
    : await need('stand-ins for PostgreSQL, Temporal, the S3 store, the proxy and mail', () =>
        serviceStandIns(base).then((tag) => ({ tag })),
      ).then(({ tag }) => tag);
  const isRun = (name) => hasRegistry || isOwnImage(compose.services[name]) || name in STAND_IN_SERVICES;
  const services = new Services(compose, { images, ports });
  await podman('network', 'create', `${prefix}-default`);
  for (const [name, { ipam }] of Object.entries(compose.networks))
    await podman('network', 'create', '--subnet', ipam.config[0].subnet, `${prefix}-${name}`);
  for (const name of inOrder(compose.services).filter(isRun)) await need(`start ${name}`, () => services.start(name));
  await checkConfinement(services);
  const proxy = { port: ports.proxy[443], authority: await readAuthority(services) };
  const order = await checkOrder(services, urls, proxy);
  await checkRelease(services, urls, release);
  await checkProxy(check, services, proxy, order);
  await checkDatabase(check, services, { ...urls, ...order, proxy });
  await checkStop(services);
}

async function finish() {
  if (hasContainers) await cleanUp(prefix).catch((error) => console.log(error.message));
  rmSync(folder, { recursive: true, force: true });
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  process.exit(counts.failed > 0 ? 1 : 0);
}

/** Counts a run that ends before its last check as a failure. */
function fail(message) {
  counts.failed += 1;
  console.log(message);
}

// Ctrl-C also ends the programs that this script started.
const interrupted = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve(new Error(`ended by ${signal}`)));
});
const failure = await Promise.race([main().catch((error) => error), interrupted]);
if (failure !== undefined && failure.message !== 'stopped') fail(failure.message);
await finish();
