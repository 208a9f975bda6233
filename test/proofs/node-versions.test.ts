import { npmRun } from '../support/npm';

/** The unit tests and the main job, on the Node versions after the one that runs this. */
it.each(['22', '24'])(
  'the tests pass on Node %s',
  async (version) => {
    const { code, output } = await npmRun('test:node', [version, 'test/unit', 'test/service/e2e']);
    expect({ code, output: code === 0 ? '' : output.slice(-8000) }).toEqual({ code: 0, output: '' });
  },
  600_000,
);
