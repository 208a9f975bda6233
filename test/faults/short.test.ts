import { prove } from './support/proof';

/** A few kills, each part once; the whole proof is `npm run test:faults`. */
describe('the service while its parts are killed', () => {
  it('loses, doubles and forgets nothing', async () => {
    const told: string[] = [];
    const seed = Number(process.env['FAULTS_SEED'] ?? 20251121);
    const proof = await prove({
      seed, kills: 4, services: 'source', clients: 8, pauseMs: 500, ordersBetweenKills: 4, quietMs: [200, 1200], awayMs: [200, 1500], hastenClaims: true,
      postgresSettings: { fsync: 'off' }, say: (line) => void told.push(line),
    });
    if (process.env['FAULTS_TELL']) process.stdout.write(`${told.join('\n')}\n${proof.line}\n`);
    expect({ seed, problems: proof.problems, told: proof.problems.length > 0 ? told : [] }).toEqual({ seed, problems: [], told: [] });
    expect(proof.kills).toBeGreaterThanOrEqual(4);
    expect(proof.orders).toBeGreaterThanOrEqual(8);
  }, 240_000);
});
