import { parseArgs } from 'node:util';
import { runProof } from './support/proof';

/** Longer than the leases: a relay's claims last 30 s, a workflow task ten, a transaction five. */
const FREEZES = { relay: 70_000, temporal: 60_000, api: 20_000, worker: 20_000, postgres: 15_000 };

/** The whole proof: `npm run test:faults`. With a seed, kills and two processes of each: `npm run test:faults -- 4711 22 --copies 2`. */
async function main(): Promise<void> {
  const options = { copies: { type: 'string', default: '1' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [seedText, killsText] = positionals;
  const copies = Number(values.copies);
  if (!Number.isInteger(copies) || copies < 1) throw new Error(`--copies is "${values.copies}"; it needs a whole number from 1, such as 2`);
  const seed = seedText === undefined ? Date.now() % 1_000_000 : Number(seedText);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say(`seed ${seed}`);
  const proof = await runProof({
    seed,
    kills: Number(killsText ?? 18),
    services: 'built',
    copies,
    clients: 16,
    abandonRate: 0.05,
    pauseMs: 2000,
    ordersBetweenKills: 10,
    quietMs: [500, 6000],
    awayMs: [200, 4000],
    freezes: FREEZES,
    printLine: say,
  });
  say(proof.summary);
  process.exitCode = proof.problems.length === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
