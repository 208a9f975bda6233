import { expectCommandSucceeds } from '../support/commands';

/** The unit tests and the life of an order. `npm run test:node -- 22` runs all unit and service tests. */
it.each(['22', '24'])(
  'the tests pass on Node %s',
  async (version) => {
    const { PROPERTY_CASES: _, ...env } = process.env;
    await expectCommandSucceeds('npm', ['run', 'test:node', '--', version, 'test/unit', 'test/service/e2e'], { env });
  },
  660_000,
);
