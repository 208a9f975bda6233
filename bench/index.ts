import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { projectRoot } from '../src/dev/project';
import { SetupError } from '../src/dev/setup-error';
import { life } from './parts/life';
import { orders } from './parts/orders';
import { quotes } from './parts/quotes';
import { reads } from './parts/reads';
import { webhooks } from './parts/webhooks';
import { hottest } from './profile';
import { markdown, type Report } from './report';
import { openStage, type Stage } from './stage';

const PARTS: Record<string, (stage: Stage, quick: boolean) => Promise<Report>> = { orders, life, reads, quotes, webhooks };

/** Runs the named parts, or all, on one stage, and prints one table. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { quick: { type: 'boolean', default: false }, profile: { type: 'string' } }, allowPositionals: true });
  const unknown = positionals.filter((name) => PARTS[name] === undefined);
  if (unknown.length > 0) throw new SetupError(`there is no part "${unknown.join('", "')}"; the parts are ${Object.keys(PARTS).join(', ')}`);
  const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
  const startedAt = Date.now();
  const loadBefore = loadavg()[0] ?? 0;
  const stage = await openStage(values.profile === undefined ? {} : { profileDir: values.profile });
  const whole: Report = { rows: [], notes: [] };
  try {
    for (const name of names) {
      console.log(`[bench] ${name} …`);
      const { rows, notes } = await (PARTS[name] as (typeof PARTS)[string])(stage, values.quick);
      whole.rows.push(...rows);
      whole.notes.push(...notes);
      console.log(markdown({ rows, notes }));
    }
  } finally {
    await stage.close();
  }
  console.log(`\n${heading(stage.serverVersion, loadBefore, Date.now() - startedAt)}\n\n${markdown(whole)}`);
  if (values.profile !== undefined) console.log(`\n${hottest(values.profile)}`);
}

function heading(serverVersion: string, loadBefore: number, tookMs: number): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: projectRoot, encoding: 'utf8' }).trim();
  return `${new Date().toISOString().slice(0, 16)}, commit ${commit}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ` +
    `Temporal server ${serverVersion}, load of the machine before the run ${loadBefore.toFixed(2)}, ${Math.round(tookMs / 1000)} s`;
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof SetupError ? error.message : error);
    process.exit(1);
  },
);
