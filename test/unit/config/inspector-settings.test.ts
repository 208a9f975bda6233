import { ConfigError, loadInspectorConfig } from '../../../src/config/config';
import { INSPECTOR_SETTINGS } from '../../../src/config/settings';
import { environmentOf } from '../../../scripts/start/services';

const OTHER_PROCESS_SECRETS = {
  SECRETS_KEY: 'k1:secret',
  STUDIO_ADMIN_TOKEN: 'lps_secret',
  STORAGE_SIGNING_SECRET: 'secret',
  SMTP_URL: 'smtp://user:secret@mail',
  DATABASE_APP_PASSWORD: 'secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
};
const ENV = { PATH: '/usr/bin', DATABASE_URL: 'postgres://app@db/trade', DATA_DIR: '/data', TEMPORAL_ADDRESS: 'temporal:7233' };

it('the inspector starts without the secrets of the other processes, and npm start gives it none', () => {
  expect(environmentOf('inspector', { ...ENV, ...OTHER_PROCESS_SECRETS })).toEqual(ENV);
  expect(environmentOf('api', { ...ENV, ...OTHER_PROCESS_SECRETS })).toMatchObject(OTHER_PROCESS_SECRETS);
  expect(loadInspectorConfig({ ...ENV, NODE_ENV: 'production', S3_BUCKET: 'artwork' })).toMatchObject({
    databaseUrl: ENV.DATABASE_URL,
    dataDir: '/data',
    childUser: { uid: 65_534, gid: 65_534 },
  });
  expect(INSPECTOR_SETTINGS.filter((name) => name in OTHER_PROCESS_SECRETS)).toEqual([]);
});

it('the inspector needs S3 in production, like the API', () => {
  expect(() => loadInspectorConfig({ ...ENV, NODE_ENV: 'production' })).toThrow(/S3_BUCKET is not set/);
});

it('the inspector reports all invalid settings at once', () => {
  expect(() => loadInspectorConfig({ CHILD_USER: 'nobody' })).toThrow(ConfigError);
  expect(() => loadInspectorConfig({ CHILD_USER: 'nobody' })).toThrow(
    /DATABASE_URL is not set.*CHILD_USER|CHILD_USER.*DATABASE_URL is not set/s,
  );
});
