/** The state of one order, computed line by line from the text of the ruling. It imports nothing from the service. */
export class StageOracle {
  private log: { id: string; type: string; lines: number[] | null }[] = [];

  constructor(private readonly frames: boolean[]) {}

  private status(log = this.log): string | null {
    let [status, before] = ['received', 'received'];
    for (const { type } of log) {
      const isOpen = status === 'received' || status === 'in_production';
      if (type === 'production_started') {
        if (!isOpen) return null;
        status = 'in_production';
      } else if (type === 'held') {
        if (isOpen) [status, before] = ['on_hold', status];
        else if (status !== 'on_hold') return null;
      } else if (type === 'released') {
        if (status !== 'on_hold') return null;
        status = before;
      } else if (type === 'completed') {
        if (status !== 'in_production' && status !== 'completed') return null;
        status = 'completed';
      } else if (type !== 'printed' && status !== 'in_production') return null;
    }
    return status;
  }

  send(id: string, type: string, lines: number[] | null): boolean {
    if (lines?.some((line) => this.frames[line] === undefined)) return false;
    if (type === 'framed' && !(lines?.every((line) => this.frames[line]) ?? this.frames.includes(true))) return false;
    const log = [...this.log, { id, type, lines }];
    if (this.status(log) === null) return false;
    this.log = log;
    return true;
  }

  correct(id: string): boolean {
    const log = this.log.filter((one) => one.id !== id);
    if (log.length === this.log.length || this.status(log) === null) return false;
    this.log = log;
    return true;
  }

  private isDone(stage: string, line: number): boolean {
    return this.log.some(({ type, lines }) => type === stage && (lines === null || lines.includes(line)));
  }

  get state() {
    const count = (stage: string) => this.frames.flatMap((_, line) => (this.isDone(stage, line) ? [line] : []));
    let stage: string | null = null;
    for (const name of ['printed', 'framed', 'checked', 'ready']) {
      const concerned = this.frames.flatMap((frame, line) => (name !== 'framed' || frame ? [line] : []));
      if (concerned.length > 0 && concerned.every((line) => this.isDone(name, line))) stage = name;
    }
    return {
      status: this.status(),
      printed: count('printed').length === this.frames.length,
      isCancellable: count('printed').length === 0,
      stage,
      lines: {
        printed: count('printed'),
        framed: count('framed').filter((line) => this.frames[line]),
        checked: count('checked'),
        ready: count('ready'),
      },
    };
  }
}
