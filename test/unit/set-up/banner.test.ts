import { formatBanner } from '../../../scripts/start/banner';
import { readSettings } from '../../../scripts/start/settings';

const bannerWith = async (env: NodeJS.ProcessEnv): Promise<string> =>
  formatBanner({ settings: await readSettings(env), firstRun: undefined, logsDir: 'logs', startedInMs: 0 });

it('npm start prints the URL of the metrics of each process', async () => {
  const text = await bannerWith({ MANAGEMENT_PORT: '9700', BIND_ADDRESS: '0.0.0.0' });
  expect([...text.matchAll(/(\w+) (http:\S+)\/metrics$/gm)].map(([, service, url]) => [service, url])).toEqual([
    ['api', 'http://127.0.0.1:9700'],
    ['worker', 'http://127.0.0.1:9701'],
    ['relay', 'http://127.0.0.1:9702'],
    ['inspector', 'http://127.0.0.1:9703'],
  ]);
});

it('npm start prints no URL of a port that a process has yet to choose', async () => {
  expect(await bannerWith({ MANAGEMENT_PORT: '0' })).not.toContain('/metrics');
});
