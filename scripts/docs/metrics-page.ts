import { METRICS, withUnitSuffix } from '../../src/telemetry/metrics';
import { inlineCode, renderTable } from './markdown';

type Metric = { kind: string; description: string; unit?: string; labels?: readonly string[] };

const PROMETHEUS_TYPES: Readonly<Record<string, string>> = { 'up-down counter': 'gauge' };

/** Renders docs/metrics.md, with the names that Prometheus shows. */
export function renderMetricsPage(): string {
  const rows = Object.entries<Metric>(METRICS).map(([name, { kind, description, unit, labels = [] }]) => [
    inlineCode(`${toPrometheus(withUnitSuffix(name, unit))}${kind === 'counter' ? '_total' : ''}`),
    PROMETHEUS_TYPES[kind] ?? kind,
    description,
    labels.map((label) => inlineCode(toPrometheus(label))).join(', '),
  ]);
  return `# Metrics

\`npm run docs\` writes this page from \`src/telemetry/metrics.ts\`. OTLP exports the same metrics with dots in their names and without unit suffixes.

${renderTable(['metric', 'type', 'meaning', 'labels'], rows)}

The processes with workers also serve the metrics of [Temporal's SDK](https://docs.temporal.io/references/sdk-metrics), such as
\`temporal_worker_task_slots_available\` and \`temporal_activity_schedule_to_start_latency_seconds\`.
`;
}

const toPrometheus = (name: string): string => name.replaceAll('.', '_');
