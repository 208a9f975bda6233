import { runProof } from './support/proof';

/** Each part is killed once, and two are frozen; the whole proof is `npm run test:faults`. */
describe('the service while its processes are killed and paused', () => {
  it('loses and duplicates nothing', async () => {
    const told: string[] = [];
    const seed = Number(process.env['SEED'] ?? 20251121);
    const proof = await runProof({
      seed,
      kills: 5,
      services: 'source',
      clients: 8,
      pauseMs: 500,
      ordersBetweenKills: 4,
      quietMs: [200, 1000],
      awayMs: [200, 1500],
      freezes: { relay: 2000, temporal: 4000 },
      expireClaims: true,
      postgresSettings: { fsync: 'off' },
      printLine: (line) => void told.push(line),
    });
    if (process.env['FAULTS_TELL']) process.stdout.write(`${told.join('\n')}\n${proof.summary}\n`);
    expect({ seed, problems: proof.problems, told: proof.problems.length > 0 ? told : [] }).toEqual({ seed, problems: [], told: [] });
    expect([proof.kills >= 5, proof.freezes]).toEqual([true, 2]);
    expect(proof.orders).toBeGreaterThanOrEqual(8);
  });
});
