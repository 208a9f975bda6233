import { ConfigError } from '../../../src/config/config';
import { connectionOptions } from '../../../src/temporal/connect';

it('a file for the TLS of Temporal that cannot be read is reported with its setting', async () => {
  const tls = { certFile: null, keyFile: null, caFile: '/no/such/ca.pem', serverName: null };
  const connected = connectionOptions({
    address: 'temporal.example:7233',
    namespace: 'default',
    apiKey: null,
    tls,
    buildId: null,
    uiUrl: '',
  });
  await expect(connected).rejects.toThrow(ConfigError);
  await expect(connected).rejects.toThrow(
    'TEMPORAL_TLS_CA_FILE: /no/such/ca.pem cannot be read (ENOENT); name a file that the user of the process can read',
  );
});
