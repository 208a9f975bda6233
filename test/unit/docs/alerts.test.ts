import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { readAlerts, readDashboards, readRules } from '../../support/observability';

const PAGES = 'docs/operations/alerts';
const MAX_WORDS = 150;

const readText = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');
const pages = readdirSync(path.join(projectRoot, PAGES)).map((name) => `${PAGES}/${name}`);
const alerts = readAlerts();
/** Alerts are in camel case, their pages in kebab case. */
const pageOf = (alert: string): string => `${PAGES}/${alert.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase()}.md`;

it('each alert has a page, and each page an alert', () => {
  expect([...new Set(alerts.map(({ alert }) => pageOf(alert)))].toSorted()).toEqual(pages.toSorted());
});

it.each(alerts)('$alert ($labels.severity) says what happens, who is affected and what to do', ({ alert, labels, annotations }) => {
  expect(['page', 'ticket']).toContain(labels.severity);
  expect(annotations).toEqual({
    summary: expect.stringMatching(/\w/),
    affected: expect.stringMatching(/\w/),
    action: expect.stringMatching(/\w/),
    runbook_url: pageOf(alert),
  });
});

describe.each(pages)('%s', (file) => {
  const text = readText(file);

  it('has the title of its alert, three parts, and few words', () => {
    const title = /^# (\w+)$/m.exec(text)?.[1] ?? '';
    expect(pageOf(title)).toBe(file);
    expect([...text.matchAll(/^\*\*([\w ]+):\*\*/gm)].map(([, part]) => part)).toEqual(['Affected', 'Look at', 'Do']);
    expect(text.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(MAX_WORDS);
  });

  it('is linked from the page about observability', () => {
    expect(readText('docs/operations/observability.md')).toContain(`(${path.relative('docs/operations', file)})`);
  });
});

it('the unit tests of the rules show that each alert fires, and that it does not', () => {
  const tested = readText('deploy/observability/rules.test.yml').split('- eval_time:').slice(1);
  const namesWith = (samples: RegExp) =>
    new Set(tested.filter((text) => samples.test(text)).map((text) => /alertname="(\w+)"/.exec(text)?.[1] ?? ''));
  const names = [...new Set(alerts.map(({ alert }) => alert))].toSorted();
  expect([...namesWith(/exp_samples:\n\s+-/)].toSorted()).toEqual(names);
  expect([...namesWith(/exp_samples: \[\]/)].toSorted()).toEqual(names);
});

/** How a description names the window of a query. */
const WINDOWS: Record<string, string> = { '5m': '5 minutes', '20m': '20 minutes', '1h': 'last hour' };

describe.each(readDashboards())('the dashboard $title', ({ panels }) => {
  it.each(panels)('$title: a noun, a unit, and one sentence with the window', ({ title, description, fieldConfig, targets }) => {
    expect(title).toMatch(/^[A-Z][\w ]+$/);
    expect(description).toMatch(/^[A-Z1-9][^.]*(\.\d[^.]*)*\.$/);
    expect(['short', 's', 'decbytes', 'percentunit', 'reqps']).toContain(fieldConfig.defaults.unit);
    expect(targets.length).toBeGreaterThan(0);
    const windows = targets.flatMap(({ expr }) => [...expr.matchAll(/(?:\[|ratio_rate)(\d+\w)/g)].map(([, window = '']) => window));
    for (const window of windows) expect(description).toContain(WINDOWS[window] ?? window);
  });
});

it('every recording rule is used', () => {
  const queries = [...readRules(), ...readDashboards().flatMap(({ panels }) => panels.flatMap(({ targets }) => targets))];
  // A recording rule does not name itself in its query.
  const unused = readRules().filter(({ record }) => record !== undefined && !queries.some(({ expr }) => expr.includes(record)));
  expect(unused).toEqual([]);
});

it('the configurations of Prometheus name the rules and every process', () => {
  for (const file of ['prometheus.yml', 'prometheus.local.yml']) {
    const text = readText(`deploy/observability/${file}`);
    expect([...text.matchAll(/job_name: (\S+)/g)].map(([, job]) => job)).toEqual(
      ['api', 'worker', 'relay', 'inspector'].map((name) => `trade-print-${name}`),
    );
    expect(existsSync(path.join(projectRoot, 'deploy/observability', /rule_files: \[(.*)\]/.exec(text)?.[1] ?? ''))).toBe(true);
  }
});
