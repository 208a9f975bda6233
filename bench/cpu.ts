import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

/** Total CPU time of a stage's processes, from /proc. It is zero on systems without /proc. */
export class CpuMeter {
  private readonly pids = new Set<number>();

  /** @param postgres PostgreSQL's first process, which has one child per connection */
  constructor(private readonly postgres: number) {}

  add(pid: number): void {
    this.pids.add(pid);
  }

  /** Total CPU milliseconds. */
  read(): number {
    const spent = readProcesses().map(({ pid, parent, ms, endedChildrenMs }) => {
      if (pid === this.postgres) return ms + endedChildrenMs;
      return parent === this.postgres || this.pids.has(pid) ? ms : 0;
    });
    return spent.reduce((sum, ms) => sum + ms, 0);
  }
}

interface ProcessTime {
  pid: number;
  parent: number;
  ms: number;
  endedChildrenMs: number;
}

function readProcesses(): ProcessTime[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)));
}

function readProcess(pid: number): ProcessTime[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces. State, parent, …, utime, stime, cutime and cstime follow it.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [fields[1], ...fields.slice(11, 15)];
    return [{ pid, parent, ms: (user + system) * MS_PER_TICK, endedChildrenMs: (childUser + childSystem) * MS_PER_TICK }];
  } catch {
    return []; // the process has ended
  }
}
