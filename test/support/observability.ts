import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { projectRoot } from '../../scripts/start/project';

/** The folder with the rules of Prometheus and the dashboards of Grafana. */
export const OBSERVABILITY_DIR = path.join(projectRoot, 'deploy', 'observability');

export interface Rule {
  expr: string;
  record?: string;
  alert?: string;
}

export interface Alert extends Rule {
  alert: string;
  labels: { severity: string };
  annotations: Record<string, string>;
}

export interface Dashboard {
  name: string;
  title: string;
  panels: {
    title: string;
    description: string;
    fieldConfig: { defaults: { unit: string } };
    targets: { expr: string; legendFormat: string }[];
  }[];
}

export function readRules(): Rule[] {
  const { groups } = load(readFileSync(path.join(OBSERVABILITY_DIR, 'rules.yml'), 'utf8')) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

export const readAlerts = (): Alert[] => readRules().filter((rule): rule is Alert => rule.alert !== undefined);

export function readDashboards(): Dashboard[] {
  const folder = path.join(OBSERVABILITY_DIR, 'dashboards');
  return readdirSync(folder).map((file) => ({
    ...(JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Dashboard),
    name: file.replace('.json', ''),
  }));
}

/** The SQL statements of the page of an alert. */
export function readStatements(page: string): string[] {
  const text = readFileSync(path.join(projectRoot, page), 'utf8');
  return [...text.matchAll(/psql \$DATABASE_URL -c "([^"]+)"/g)].map(([, statement = '']) => statement);
}
