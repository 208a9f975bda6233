import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findListenError } from '../../../../scripts/start/ports';
import type { ProcessManager } from '../../../../scripts/start/processes';
import { projectRoot } from '../../../../scripts/start/project';
import { findProgram } from '../../../support/programs';

/** The ports of an API, or those before all APIs. */
export interface Listeners {
  trade: number;
  studio: number;
}

/** @throws Error without HAProxy */
export function requireBalancer(): void {
  if (findProgram('haproxy') === undefined)
    throw new Error('`haproxy` is not on the PATH; install HAProxy (on Debian: apt-get install --no-install-recommends haproxy)');
}

/** Starts HAProxy before these APIs. Resolves when it accepts connections. */
export async function startBalancer(manager: ProcessManager, folder: string, entry: Listeners, apis: readonly Listeners[]): Promise<void> {
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configure(entry, apis));
  const logFile = join(folder, 'haproxy.log');
  const balancer = await manager.start({ name: 'HAProxy', command: 'haproxy', args: ['-db', '-f', file], logFile, stage: 1 });
  await balancer.whenReady(async () => (await findListenError(entry.studio, '127.0.0.1')) === 'EADDRINUSE' || undefined);
}

/** The configuration that the operators' page recommends, with these ports instead of its addresses, TLS and host names. */
function configure(entry: Listeners, apis: readonly Listeners[]): string {
  const page = readFileSync(join(projectRoot, 'docs/operations/load-balancers.md'), 'utf8');
  const servers = (listener: keyof Listeners) => apis.map((api, index) => `  server api${index + 1} 127.0.0.1:${api[listener]}`).join('\n');
  return (/```haproxy\n(.*?)```/s.exec(page)?.[1] ?? '')
    .replace(/bind :443 .*/, `bind 127.0.0.1:${entry.trade}\n  bind 127.0.0.1:${entry.studio}`)
    .replace(/\{ req\.hdr\(host\) .* \}/, `{ dst_port ${entry.studio} }`)
    .replace(/( +server .*:8080\n)+/, `${servers('trade')}\n`)
    .replace(/( +server .*:8081\n)+/, `${servers('studio')}\n`);
}
