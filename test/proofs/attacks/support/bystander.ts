import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

interface Sample {
  /** An HTTP status, or the code of a connection error. */
  status: number | string;
  ms: number;
}

/** Responses and latencies of an account during one period. */
export interface Experience {
  requests: number;
  medianMs: number;
  p95Ms: number;
  slowestMs: number;
  /** Answers that are not 200, by status, with their counts. */
  failures: Record<string, number>;
}

/** Least number of requests in each period. */
const MIN_REQUESTS = 60;

/** An account that reads one of its orders twenty times a second, in a process that the attacker does not delay. */
export class Bystander {
  private readonly child: ChildProcess;

  constructor(url: string, keys: readonly string[]) {
    this.child = fork(join(__dirname, 'bystander-main.cjs'), [url, ...keys]);
  }

  /** Measures while `work` repeats, until at least sixty requests are answered. */
  async during(work: () => Promise<unknown>): Promise<Experience> {
    await this.takeSamples();
    let isEnough = false;
    const enough = this.answered(MIN_REQUESTS).then(() => (isEnough = true));
    while (!isEnough) await work();
    await enough;
    return summarize(await this.takeSamples());
  }

  /** Measures without other load. */
  async alone(): Promise<Experience> {
    await this.takeSamples();
    await this.answered(MIN_REQUESTS);
    return summarize(await this.takeSamples());
  }

  close(): void {
    this.child.kill();
  }

  private async takeSamples(): Promise<Sample[]> {
    const answer = this.message((message) => message.samples);
    this.child.send('report');
    return answer;
  }

  private async answered(count: number): Promise<void> {
    await this.message((message) => (message.answered ?? 0) >= count || undefined);
  }

  /** Listens until the message is found. Between two calls of `once`, messages that arrive together would be lost. */
  private message<T>(read: (message: { samples?: Sample[]; answered?: number }) => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const listen = (message: { samples?: Sample[]; answered?: number }): void => {
        const found = read(message);
        if (found === undefined) return;
        this.child.off('message', listen);
        resolve(found);
      };
      this.child.on('message', listen);
    });
  }
}

function summarize(samples: readonly Sample[]): Experience {
  const times = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number): number => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  const failures: Record<string, number> = {};
  for (const { status } of samples) if (status !== 200) failures[status] = (failures[status] ?? 0) + 1;
  return { requests: samples.length, medianMs: at(0.5), p95Ms: at(0.95), slowestMs: at(1), failures };
}
