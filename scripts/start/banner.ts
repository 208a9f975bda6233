import type { FirstRunCredentials } from './prepare-database';
import type { DevSettings } from './settings';

export interface BannerInput {
  settings: DevSettings;
  firstRun: FirstRunCredentials;
  logsDir: string;
  startedInMs: number;
}

/** The summary that `npm start` prints: addresses, first credentials and a first request. */
export function formatBanner({ settings, firstRun, logsDir, startedInMs }: BannerInput): string {
  const { config, embedsTemporal, env, managementPorts } = settings;
  const studioUrl = `http://${config.localHost}:${config.studioPort}`;
  const metricsUrls = Object.entries(managementPorts).flatMap(([service, port]) =>
    port === 0 ? [] : [`${service} http://${config.localHost}:${port}/metrics`],
  );
  const secrets = [
    '',
    '  This is the first start. Store these credentials; they are not shown again:',
    `  demo account     ${firstRun?.accountName}`,
    `  test key         ${firstRun?.testKey}`,
    `  live key         ${firstRun?.liveKey}`,
    `  admin token      ${firstRun?.adminToken}`,
  ];
  return [
    '',
    `Trade print is ready, after ${(startedInMs / 1000).toFixed(1)} s.`,
    '',
    `  console          ${studioUrl}/ sign in with the admin token`,
    `  trade API        ${config.publicBaseUrl}`,
    `  studio API       ${studioUrl}/studio/v1`,
    `  documentation    ${config.publicBaseUrl.replace(/\/v1$/, '')}/docs, the studio's ${studioUrl}/docs`,
    // The Web UI of an external Temporal server is known only from TEMPORAL_UI_URL.
    ...(embedsTemporal || env['TEMPORAL_UI_URL'] ? [`  Temporal Web UI  ${config.temporal.uiUrl}`] : []),
    ...metricsUrls.map((url, index) => `  ${(index === 0 ? 'metrics' : '').padEnd(16)} ${url}`),
    ...(firstRun === undefined ? [] : secrets),
    '',
    '  Try:',
    `  curl -s ${config.publicBaseUrl}/catalogue -H 'Authorization: Bearer ${firstRun?.testKey ?? '<your key>'}'`,
    '',
    `  data ${config.dataDir}`,
    `  logs ${logsDir}`,
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
}
