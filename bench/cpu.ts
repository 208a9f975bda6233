import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

/** CPU time of the processes of a run, from /proc; nothing where there is no /proc. */
export class CpuMeter {
  /**
   * @param pids name → process
   * @param families those whose child processes count with them (PostgreSQL has one per connection)
   */
  constructor(private readonly pids: Readonly<Record<string, number>>, private readonly families: readonly string[]) {}

  /** CPU ms so far by name. */
  read(): Record<string, number> {
    const processes = readProcesses();
    return Object.fromEntries(Object.entries(this.pids).map(([name, pid]) => {
      const own = processes.filter((process) => process.pid === pid || (process.parent === pid && this.families.includes(name)));
      return [name, own.reduce((sum, process) => sum + process.ms + (process.pid === pid && this.families.includes(name) ? process.endedChildrenMs : 0), 0)];
    }));
  }

  since(before: Record<string, number>): Record<string, number> {
    return Object.fromEntries(Object.entries(this.read()).map(([name, ms]) => [name, ms - (before[name] ?? 0)]));
  }
}

interface ProcessTime {
  pid: number;
  parent: number;
  ms: number;
  /** Of the children that have ended and were waited for. */
  endedChildrenMs: number;
}

function readProcesses(): ProcessTime[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => readProcess(Number(name)));
}

function readProcess(pid: number): ProcessTime[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; what follows it is state, parent, …, utime, stime, cutime, cstime.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ').map(Number);
    const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [fields[1], ...fields.slice(11, 15)];
    return [{ pid, parent, ms: (user + system) * MS_PER_TICK, endedChildrenMs: (childUser + childSystem) * MS_PER_TICK }];
  } catch {
    return []; // it has ended
  }
}
