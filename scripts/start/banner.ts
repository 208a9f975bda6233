import type { FirstRun } from './prepare-database';
import type { DevSettings } from './settings';

export interface BannerFacts {
  settings: DevSettings;
  firstRun: FirstRun | undefined;
  logsDir: string;
  /** Where the embedded PostgreSQL keeps its files; undefined with DATABASE_URL. */
  clusterDir: string | undefined;
  startedInMs: number;
}

/** The text that tells a person what runs where and what to try first. */
export function banner(facts: BannerFacts): string {
  const sections = [whatRuns(facts), secrets(facts.firstRun), tryThis(facts), whereThingsAre(facts)];
  return `\n${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function whatRuns({ settings, startedInMs }: BannerFacts): string[] {
  const { config } = settings;
  return [
    `Trade print is ready, after ${(startedInMs / 1000).toFixed(1)} s.`,
    '',
    `  console          ${localUrl(settings, config.studioPort)}/ for the studio's people: sign in with the admin token`,
    `  trade API        ${config.publicBaseUrl}`,
    `  studio API       ${localUrl(settings, config.studioPort)}/studio/v1`,
    `  documentation    ${config.publicBaseUrl.replace(/\/v1$/, '')}/docs, the studio's ${localUrl(settings, config.studioPort)}/docs`,
    // Somebody else's Temporal may have a Web UI anywhere, or none.
    ...(settings.embedsTemporal || settings.env['TEMPORAL_UI_URL'] ? [`  Temporal Web UI  ${config.temporal.uiUrl}`] : []),
  ];
}

function secrets(firstRun: FirstRun | undefined): string[] {
  if (firstRun === undefined) return [];
  return [
    `  This is the first start. Keep these, they are not shown again:`,
    `  demo account     ${firstRun.accountName}`,
    `  test key         ${firstRun.testKey}`,
    `  live key         ${firstRun.liveKey}`,
    `  admin token      ${firstRun.adminToken}`,
  ];
}

function tryThis({ settings, firstRun }: BannerFacts): string[] {
  const key = firstRun?.testKey ?? '<your key>';
  return ['  Try:', `  curl -s ${settings.config.publicBaseUrl}/catalogue -H 'Authorization: Bearer ${key}'`];
}

function whereThingsAre({ settings, logsDir, clusterDir }: BannerFacts): string[] {
  const { dataDir } = settings.config;
  const apart = clusterDir !== undefined && !clusterDir.startsWith(`${dataDir}/`);
  return [`  data ${dataDir}${apart ? ` and ${clusterDir}` : ''}`, `  logs ${logsDir}`, '  Ctrl-C stops everything.'];
}

/** A listener's address as this machine reaches it. */
export function localUrl({ config }: DevSettings, port: number): string {
  const { bindAddress } = config;
  if (['0.0.0.0', '::'].includes(bindAddress)) return `http://127.0.0.1:${port}`;
  return `http://${bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress}:${port}`;
}
