import { expectCommandSucceeds } from '../../support/commands';

/** Runs `npm run test:contract` with fewer random cases and a fixed seed, so a failure comes from a change of the service. */
it('Schemathesis finds no response that the OpenAPI documents do not describe', async () => {
  const env = { ...process.env, CASES: '240', SEED: '20261122' };
  await expectCommandSucceeds('npm', ['run', 'test:contract'], { env, timeoutMs: 1_800_000 });
}, 1_860_000);
