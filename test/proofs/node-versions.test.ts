import { expectCommandSucceeds } from '../support/commands';

/** The supported versions. The other tests cover the version that runs this file. */
const OTHER_VERSIONS = ['24', '22', '26', '20.19'].filter((version) => parseInt(version, 10) !== parseInt(process.versions.node, 10));

/** The unit tests of code that runs in the service, and the life of an order. `npm run test:node -- 22` runs all unit and service tests. */
const FILES = ['test/unit/(?!contract/|docs/|set-up/|compose)', 'test/service/e2e'];

it.each(OTHER_VERSIONS)('the tests pass on Node %s', async (version) => {
  const { PROPERTY_CASES: _, JEST_WORKER_ID: __, ...env } = process.env;
  await expectCommandSucceeds('npm', ['run', 'test:node', '--', version, ...FILES], { env });
});
