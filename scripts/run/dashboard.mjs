// `npm run dashboard -- [service|orders|webhooks|temporal]`: prints the firing alerts, the processes that do not answer and one Grafana
// dashboard as text, from the Prometheus at PROMETHEUS_URL. Each panel has its description, and each line the present value and a sparkline
// of the last hour.

import { readdirSync } from 'node:fs';
import { inProject, readJson } from '../set-up/project.mjs';

const FOLDER = inProject('deploy', 'observability', 'dashboards');
const NAMES = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
const PROMETHEUS_URL = process.env.PROMETHEUS_URL || 'http://127.0.0.1:9090';
const HOUR_S = 3600;
const POINTS = 30;
const MAX_SERIES = 12;
const WIDTH = 44;
const BARS = '▁▂▃▄▅▆▇█';
const SEVERITIES = ['page', 'ticket'];

async function main(name) {
  if (!NAMES.includes(name)) throw new Error(`there is no dashboard ${name}; choose ${NAMES.join(', ')}`);
  const { title, panels } = readJson(`${FOLDER}/${name}.json`);
  const endS = Date.now() / 1000;
  const [alerts, down, ...printed] = await Promise.all([readAlerts(), readDown(), ...panels.map((panel) => printPanel(panel, endS))]);
  console.log(`${[alerts, ...down].join('\n')}\n\n${title.toUpperCase()} · now and the last hour\n${printed.join('\n')}`);
}

async function get(path, parameters = {}) {
  const url = `${PROMETHEUS_URL}/api/v1/${path}?${new URLSearchParams(parameters)}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch((error) => {
    throw new Error(`Prometheus at ${PROMETHEUS_URL} does not answer; set PROMETHEUS_URL (${error.cause?.message ?? error.message})`);
  });
  const body = await response.json().catch(() => ({}));
  if (body.status !== 'success') throw new Error(`Prometheus refused ${path}: ${body.error ?? response.status}`);
  return body.data;
}

/** Pages first, then causes before objectives, then the oldest. An alert that pages makes no ticket. */
async function readAlerts() {
  const { groups } = await get('rules', { type: 'alert' });
  const firing = groups.flatMap(({ name, rules }) =>
    rules.flatMap((rule) => rule.alerts.filter(({ state }) => state === 'firing').map((alert) => ({ ...alert, group: name }))),
  );
  const isPaged = ({ labels }) => firing.some((other) => other.labels.alertname === labels.alertname && other.labels.severity === 'page');
  const alerts = firing.filter((alert) => alert.labels.severity === 'page' || !isPaged(alert));
  const rank = ({ labels, group, activeAt }) => [SEVERITIES.indexOf(labels.severity), group === 'causes' ? 0 : 1, activeAt].join();
  alerts.sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
  const blocks = alerts.map(({ labels, annotations, activeAt }) =>
    [
      `${labels.severity.toUpperCase()} ${labels.alertname} since ${activeAt.slice(11, 19)}Z: ${annotations.summary}`,
      `  affected: ${annotations.affected}`,
      `  action:   ${annotations.action}`,
      `  runbook:  ${annotations.runbook_url}`,
    ].join('\n'),
  );
  return blocks.length === 0
    ? 'No alert fires.'
    : `${blocks.length} ${blocks.length === 1 ? 'alert fires' : 'alerts fire'}\n\n${blocks.join('\n')}`;
}

/** The processes that Prometheus does not reach, with its reason. */
async function readDown() {
  const { activeTargets } = await get('targets', { state: 'active' });
  const down = activeTargets.filter(({ health, labels }) => health === 'down' && labels.job.startsWith('trade-print-'));
  return down.map(({ labels, lastError }) => `DOWN ${labels.job}: ${lastError}`);
}

async function printPanel({ title, description, targets, fieldConfig }, endS) {
  const { unit } = fieldConfig.defaults;
  const series = (await Promise.all(targets.map((target) => readSeries(target, endS)))).flat();
  const shown = series.sort((one, other) => (other.last ?? -1) - (one.last ?? -1)).slice(0, MAX_SERIES);
  const rest = series.length > shown.length ? [`  … ${series.length - shown.length} more`] : [];
  const lines = shown.map(({ name, last, bars }) => line(`  ${name}`, format(last, unit), bars));
  return [`${title}: ${description}`, ...(lines.length === 0 ? ['  –'] : lines), ...rest].join('\n');
}

const line = (name, value, bars) => `${name.slice(0, WIDTH).padEnd(WIDTH)} ${value.padStart(10)}  ${bars}`.trimEnd();

/** An instant target has no series that ended. */
async function readSeries({ expr, legendFormat, instant = false }, endS) {
  const step = HOUR_S / POINTS;
  const times = Array.from({ length: POINTS + 1 }, (_, index) => endS - HOUR_S + index * step);
  const { result } = await get('query_range', { query: expr, start: times[0], end: endS, step });
  const series = result.map(({ metric, values }) => {
    const byTime = new Map(values.map(([time, value]) => [Math.round((time - times[0]) / step), Number(value)]));
    const points = times.map((_, index) => byTime.get(index) ?? Number.NaN);
    const name = legendFormat.replace(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? '').trim() || '(none)';
    return { name, last: points.at(-1), bars: sparkline(points) };
  });
  return series.filter(({ last }) => !instant || Number.isFinite(last));
}

/** From zero to the largest value, with spaces for gaps. */
function sparkline(points) {
  const max = Math.max(...points.filter(Number.isFinite), 0);
  const bar = (value) => (Number.isFinite(value) ? BARS[max === 0 ? 0 : Math.round((Math.max(value, 0) / max) * (BARS.length - 1))] : ' ');
  return points.map(bar).join('');
}

const UNITS = {
  s: (value) => (Math.abs(value) < 1 ? `${round(value * 1000)} ms` : Math.abs(value) < 120 ? `${round(value)} s` : formatMinutes(value)),
  decbytes: (value) => (value < 1e9 ? `${round(value / 1e6)} MB` : `${round(value / 1e9)} GB`),
  percentunit: (value) => `${round(value * 100)} %`,
  reqps: (value) => `${round(value)} /s`,
  short: (value) => String(round(value)),
};

function format(value, unit) {
  return Number.isFinite(value) ? UNITS[unit](value) : '–';
}

const formatMinutes = (seconds) => (seconds < 7200 ? `${round(seconds / 60)} min` : `${round(seconds / 3600)} h`);
const round = (value) => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(2)));

try {
  await main(process.argv[2] ?? 'service');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
