// Converts docker-compose.yml to arguments of podman. An unknown key is an error, so that no part of the file is ignored.

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

/** Reads the file and expands its variables. */
export function readCompose(file, variables) {
  const expand = (value) => {
    if (typeof value === 'string') return expandVariables(value, variables);
    if (Array.isArray(value)) return value.map(expand);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expand(inner)]));
  };
  return expand(load(readFileSync(file, 'utf8'), { schema: CORE_SCHEMA.withTags(mergeTag) }));
}

function expandVariables(text, variables) {
  return text.replace(/\$\$|\$\{(\w+)(?::([-+?])([^}]*))?\}/g, (whole, name, operator, argument) => {
    if (whole === '$$') return '$';
    if (operator === '+') return variables[name] ? argument : '';
    if (variables[name]) return variables[name];
    if (operator === '?') throw new Error(`docker-compose.yml needs ${name}`);
    return argument ?? '';
  });
}

/** The seconds of a duration such as `1m30s`. Compose adds its parts. */
export function secondsOf(duration) {
  const seconds = { h: 3600, m: 60, s: 1 };
  return [...duration.matchAll(/(\d+)([hms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * seconds[unit], 0);
}

/** The names of the services. Each service follows the services that it depends on. */
export function inOrder(services) {
  const sorted = new Set();
  const add = (name) => {
    for (const other of Object.keys(services[name].depends_on ?? {})) if (other in services) add(other);
    sorted.add(name);
  };
  Object.keys(services).forEach(add);
  return [...sorted];
}

const each =
  (option, format = String) =>
  (values) =>
    values.flatMap((value) => [option, format(value)]);
const flag = (option) => (isSet) => (isSet ? [option] : []);
const NOTHING = () => [];

/** podman 4 takes only a line for the shell. */
const healthCommand = ([kind, ...words]) =>
  kind === 'CMD-SHELL' ? words.join(' ') : words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

/**
 * The arguments of `podman run` for a service, without image and command.
 * @param ports the published ports: port of the container → port of this machine. They replace those of the service.
 * @param compose the whole file, for its configurations and secrets
 */
export function runOptions(service, { prefix, name, ports, compose, folder, projectFolder }) {
  const options = {
    build: NOTHING,
    image: NOTHING,
    command: NOTHING,
    entrypoint: NOTHING,
    depends_on: NOTHING,
    restart: NOTHING,
    profiles: NOTHING,
    // Podman has no driver `local`, and the log limit of a short run has no effect.
    logging: NOTHING,
    networks: NOTHING,
    init: flag('--init'),
    // Unlike podman, Docker adds no writable folders to a read-only container.
    read_only: (isSet) => (isSet ? ['--read-only', '--read-only-tmpfs=false'] : []),
    tmpfs: each('--tmpfs'),
    cap_drop: each('--cap-drop'),
    cap_add: each('--cap-add'),
    security_opt: each('--security-opt', (option) => option.replace(/:true$/, '')),
    user: (user) => ['--user', user],
    mem_limit: (limit) => ['--memory', limit],
    shm_size: (size) => ['--shm-size', size],
    pids_limit: (limit) => ['--pids-limit', String(limit)],
    stop_grace_period: (period) => ['--stop-timeout', String(secondsOf(period))],
    environment: (values) => Object.entries(values).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    volumes: each('--volume', (volume) => `${prefix}-${volume}`),
    ports: NOTHING,
    configs: (files) =>
      files.flatMap(({ source, target }) => {
        const { content, file = join(folder, source) } = compose.configs[source];
        if (content !== undefined) writeFileSync(file, content, { mode: 0o644 });
        return ['--volume', `${resolve(projectFolder, file)}:${target}:ro`];
      }),
    secrets: (names) =>
      names.flatMap((secret) => ['--volume', `${resolve(projectFolder, compose.secrets[secret].file)}:/run/secrets/${secret}:ro`]),
    healthcheck: ({ disable, test }) => (disable ? ['--no-healthcheck'] : ['--health-cmd', healthCommand(test)]),
  };
  const networks = service.networks ?? ['default'];
  const own = Object.entries(service).flatMap(([key, value]) => {
    if (!(key in options)) throw new Error(`scripts/release/compose.mjs does not know the key ${key} of docker-compose.yml`);
    return options[key](value);
  });
  return [
    ...own,
    ...networks.flatMap((network) => ['--network', `${prefix}-${network}:alias=${name}`]),
    ...Object.entries(ports).flatMap(([inside, outside]) => ['--publish', `127.0.0.1:${outside}:${inside}`]),
  ];
}
