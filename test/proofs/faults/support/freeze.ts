import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

export interface FrozenProcess {
  /** SIGCONT; resolves once it has been sent. */
  thaw(): Promise<void>;
}

/**
 * Sends SIGSTOP to a process and its descendants, because PostgreSQL's children have their own process groups. A helper holds a pipe
 * to this process and resumes them when the pipe closes, also after a SIGKILL.
 */
export function freeze(pid: number): FrozenProcess {
  const family: number[] = [];
  for (let found = [pid]; found.length > 0; found = childPidsOf(found)) {
    for (const member of found) sendSignal(member, 'SIGSTOP'); // before its children are listed: from now on it starts no more
    family.push(...found);
  }
  const helper = spawn('sh', ['-c', 'read _; for pid; do kill -CONT "$pid"; done', 'thaw', ...family.toReversed().map(String)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const ended = once(helper, 'close');
  return {
    async thaw() {
      helper.stdin.end();
      await ended;
    },
  };
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended meanwhile
  }
}

function childPidsOf(parents: readonly number[]): number[] {
  return listProcesses()
    .filter(({ parent }) => parents.includes(parent))
    .map(({ pid }) => pid);
}

/** Every process and its parent. A slim container has no `ps`. */
function listProcesses(): { pid: number; parent: number }[] {
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), parent: parentPidOf(name) }));
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0]) => ({ pid, parent }));
}

/** The second field after the name. The name is in parentheses and may contain any text. */
function parentPidOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
