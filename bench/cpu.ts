import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

/** Backends show their database in their title: "postgres: postgres temporal 127.0.0.1(51234) idle". */
const OF_TEMPORAL = /^postgres: \S+ temporal(_visibility)? /;

/** CPU time and memory of the processes of a run, from /proc; nothing where there is no /proc. */
export class CpuMeter {
  private readonly pids: Record<string, number[]>;

  /**
   * @param pids name → process
   * @param postgres PostgreSQL's first process, which has one child per connection
   */
  constructor(
    pids: Readonly<Record<string, number>>,
    private readonly postgres: number,
  ) {
    this.pids = Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, [pid]]));
  }

  /** Counts one more process under this name. */
  add(name: string, pid: number): void {
    this.pids[name] = [...(this.pids[name] ?? []), pid];
  }

  /** CPU ms so far by name. */
  read(): Record<string, number> {
    const processes = readProcesses();
    const sum = (of: (process: ProcessTime) => number): number => processes.reduce((ms, process) => ms + of(process), 0);
    const ofTemporal = ({ parent, pid }: ProcessTime): boolean => parent === this.postgres && OF_TEMPORAL.test(titleOf(pid));
    const named = Object.entries(this.pids).map(([name, pids]) => [name, sum(({ pid, ms }) => (pids.includes(pid) ? ms : 0))]);
    return {
      ...Object.fromEntries(named),
      PostgreSQL: sum((process) =>
        process.pid === this.postgres
          ? process.ms + process.endedChildrenMs
          : process.parent === this.postgres && !ofTemporal(process)
            ? process.ms
            : 0,
      ),
      'PostgreSQL for Temporal': sum((process) => (ofTemporal(process) ? process.ms : 0)),
    };
  }

  /** Resident memory by name; without PostgreSQL, whose processes share theirs. */
  residentMib(): Record<string, number> {
    return Object.fromEntries(
      Object.entries(this.pids).map(([name, pids]) => [name, Math.round(pids.reduce((sum, pid) => sum + residentMibOf(pid), 0))]),
    );
  }

  since(before: Record<string, number>): Record<string, number> {
    return Object.fromEntries(Object.entries(this.read()).map(([name, ms]) => [name, ms - (before[name] ?? 0)]));
  }
}

/** As the kernel counts it, shared pages included. */
function residentMibOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0/g, ' ');
  } catch {
    return '';
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
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)));
}

function readProcess(pid: number): ProcessTime[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; what follows it is state, parent, …, utime, stime, cutime, cstime.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [fields[1], ...fields.slice(11, 15)];
    return [{ pid, parent, ms: (user + system) * MS_PER_TICK, endedChildrenMs: (childUser + childSystem) * MS_PER_TICK }];
  } catch {
    return []; // it has ended
  }
}
