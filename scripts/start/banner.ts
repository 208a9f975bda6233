import type { FirstRunCredentials } from './prepare-database';
import type { DevSettings } from './settings';

export interface BannerInput {
  settings: DevSettings;
  firstRun: FirstRunCredentials;
  logsDir: string;
  startedInMs: number;
}

/** The text that tells a person what runs where and what to try first. */
export function formatBanner({ settings, firstRun, logsDir, startedInMs }: BannerInput): string {
  const { config, embedsTemporal, env } = settings;
  const studioUrl = `http://${config.localHost}:${config.studioPort}`;
  const secrets = [
    '',
    '  This is the first start. Keep these, they are not shown again:',
    `  demo account     ${firstRun?.accountName}`,
    `  test key         ${firstRun?.testKey}`,
    `  live key         ${firstRun?.liveKey}`,
    `  admin token      ${firstRun?.adminToken}`,
  ];
  return [
    '',
    `Trade print is ready, after ${(startedInMs / 1000).toFixed(1)} s.`,
    '',
    `  console          ${studioUrl}/ for the studio's people: sign in with the admin token`,
    `  trade API        ${config.publicBaseUrl}`,
    `  studio API       ${studioUrl}/studio/v1`,
    `  documentation    ${config.publicBaseUrl.replace(/\/v1$/, '')}/docs, the studio's ${studioUrl}/docs`,
    // Somebody else's Temporal may have a Web UI anywhere, or none.
    ...(embedsTemporal || env['TEMPORAL_UI_URL'] ? [`  Temporal Web UI  ${config.temporal.uiUrl}`] : []),
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
