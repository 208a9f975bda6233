import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../../../scripts/start/ports';
import { projectRoot } from '../../../../scripts/start/project';
import { OBSERVABILITY_DIR } from '../../../support/observability';
import { waitFor } from '../../../support/wait-for';
import { SERVICES, type Stack } from '../../faults/support/stack';

export interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

/** A process may take this long for its metrics, because a slow machine or a lost database delays them, s. */
const SCRAPE_SECONDS = 5;

/** A Prometheus with the project's rules, without their `for:`. */
export class PrometheusServer {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(stack: Stack): Promise<PrometheusServer> {
    const folder = mkdtempSync(join(tmpdir(), 'trade-print-prometheus-'));
    const rules = readFileSync(join(OBSERVABILITY_DIR, 'rules.yml'), 'utf8').replaceAll(/^ +for: .*\n/gm, '');
    writeFileSync(join(folder, 'rules.yml'), rules);
    const scrapeConfigs = SERVICES.map((service) => ({
      job_name: `trade-print-${service}`,
      static_configs: [{ targets: [new URL(stack.managementUrl(service)).host] }],
    }));
    // JSON is YAML.
    const config = {
      global: { scrape_interval: `${SCRAPE_SECONDS}s`, evaluation_interval: '1s' },
      rule_files: ['rules.yml'],
      scrape_configs: scrapeConfigs,
    };
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
    const address = `127.0.0.1:${await findFreePort()}`;
    const args = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`];
    const child = spawn('prometheus', args, { stdio: 'ignore' });
    const server = new PrometheusServer(`http://${address}`, folder, child);
    await waitFor('Prometheus', async () => (await fetch(`${server.url}/-/ready`).catch(() => null))?.ok === true);
    return server;
  }

  /** @throws Error for an invalid query */
  async query(expr: string): Promise<Sample[]> {
    return (await this.get<{ result: Sample[] }>('query', { query: expr })).result;
  }

  async isFiring(alert: string): Promise<boolean> {
    return (await this.query(`ALERTS{alertname="${alert}",alertstate="firing"}`)).length > 0;
  }

  /** The output of `npm run dashboard`. */
  async printDashboard(name: string): Promise<string> {
    const env = { ...process.env, PROMETHEUS_URL: this.url };
    const { stdout } = await promisify(execFile)(process.execPath, [join(projectRoot, 'scripts', 'run', 'dashboard.mjs'), name], { env });
    return stdout;
  }

  metricNames(): Promise<string[]> {
    return this.get<string[]>('label/__name__/values');
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    if (this.child.kill()) await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async get<T>(path: string, parameters: Record<string, string> = {}): Promise<T> {
    const response = await fetch(`${this.url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const { data, error } = (await response.json()) as { data: T; error?: string };
    if (error !== undefined) throw new Error(`${path}: ${error}`);
    return data;
  }
}
