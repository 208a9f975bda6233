import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { ChildUser } from '../child-user';
import { ApiError } from '../domain/errors';
import type { Logger } from '../logger';
import { projectRoot } from '../project-root';
import { DocumentTooLarge, renderWithFallbacks } from './render-with-fallbacks';

type Template = 'job-sheet' | 'packing-slip' | 'invoice' | 'statement';

export interface Draft {
  template: Template;
  /** What the template shows. Any text may be in it: it is made printable, and never taken for a program. */
  data: { title: string; footer: string; isTest: boolean; [name: string]: unknown };
  /** Texts to draw as Code 128, by the name of the template's picture. */
  codes?: Readonly<Record<string, string>>;
  /** WebP, by the name that `data` gives it. */
  pictures?: ReadonlyMap<string, Buffer>;
}

/** How much one document may take, and how many may wait. */
interface PressBounds {
  waiting: number;
  timeMs: number;
  memoryBytes: number;
  /** After so long without work the process ends, and gives its memory back. */
  idleMs: number;
}

const BOUNDS: PressBounds = { waiting: 30, timeMs: 20_000, memoryBytes: 768 * 1024 * 1024, idleMs: 60_000 };

interface Rendering {
  done: (pdf: Buffer) => void;
  failed: (error: Error) => void;
}

type Reply = { ready: true; isRoot: boolean } | { id: number; pdf: Uint8Array } | { id: number; failure: string };

/**
 * Sets documents one after the other in a process of its own (`src/documents/templates/press.mjs`), which is ended when one takes too long or too much
 * memory, and started anew for the next: no document can hold up or take down the API. The process starts with the first document.
 */
export class Press {
  private readonly limit = pLimit(1);
  private child: ChildProcess | null = null;
  private current: Rendering | null = null;
  private count = 0;
  private isClosed = false;
  private watch: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly bounds: PressBounds = BOUNDS,
    private readonly program = join(projectRoot, 'src', 'documents', 'templates', 'press.mjs'),
    /** The user of the process; null: this process's own. */
    private readonly user: ChildUser | null = null,
  ) {}

  /**
   * @param createdAt what the PDF says of its making
   * @returns the bytes of a PDF
   * @throws ApiError RATE_LIMITED while too many wait; Error where it cannot be set
   */
  print(draft: Draft, createdAt: Date): Promise<Buffer> {
    if (this.limit.activeCount + this.limit.pendingCount > this.bounds.waiting)
      throw new ApiError(
        'RATE_LIMITED',
        `${this.bounds.waiting} documents are waiting to be set; ask for this one again shortly`,
        undefined,
        2,
      );
    return this.printAnyText(draft, createdAt);
  }

  /** Other documents are rendered between its renderings. */
  private async printAnyText(draft: Draft, createdAt: Date): Promise<Buffer> {
    const render = (data: Draft['data']): Promise<Buffer> => this.limit(() => this.render({ ...draft, data }, createdAt));
    const { pdf, replaced } = await renderWithFallbacks(draft.data, render, this.bounds.timeMs);
    if (replaced.size > 0) this.logger.warn({ template: draft.template, texts: replaced.size }, 'printed texts as [unprintable]');
    return pdf;
  }

  private render({ template, data, codes = {}, pictures = new Map<string, Buffer>() }: Draft, createdAt: Date): Promise<Buffer> {
    if (this.isClosed) return Promise.reject(new Error('the service is stopping'));
    clearTimeout(this.idle);
    const child = (this.child ??= this.start());
    this.bound(child);
    this.count += 1;
    const createdAtSeconds = Math.floor(createdAt.getTime() / 1000);
    return new Promise((done, failed) => {
      this.current = { done, failed };
      try {
        child.send(
          { id: this.count, template, data: { ...data, createdAtSeconds }, codes, pictures: Object.fromEntries(pictures) },
          (error) => error !== null && this.end(error),
        );
      } catch (error) {
        this.settle(() => failed(error as Error)); // it cannot be serialized
      }
    });
  }

  /** Nothing is set any more; what waits fails. */
  close(): void {
    this.isClosed = true;
    this.end(new Error('the service is stopping'));
  }

  /** It is told nothing of the environment, whose secrets it has no use for. */
  private start(): ChildProcess {
    const child = fork(this.program, this.user === null ? [] : [String(this.user.uid), String(this.user.gid)], {
      serialization: 'advanced',
      env: {},
      execArgv: ['--max-old-space-size=256'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr?.on('data', (written: Buffer) => this.logFailure(written.toString()));
    child.on('message', (reply: Reply) => this.take(child, reply));
    child.on('error', (error) => this.lost(child, error));
    child.on('exit', (code, signal) => this.lost(child, new Error(`the press ended (${signal ?? code})`)));
    child.unref();
    child.channel?.unref();
    return child;
  }

  /** Logs where it failed; the rest of the line may quote a customer. */
  private logFailure(written: string): void {
    const [where] = /panicked at \S+|FATAL ERROR: .*/.exec(written) ?? [];
    if (where !== undefined) this.logger.warn({ where }, 'the renderer of documents failed');
  }

  private take(child: ChildProcess, reply: Reply): void {
    if ('ready' in reply && reply.isRoot && this.user !== null)
      this.logger.warn({ uid: this.user.uid }, 'documents are set by root: CHILD_USER cannot read the templates or the fonts');
    if (child !== this.child || 'ready' in reply || reply.id !== this.count) return;
    if ('pdf' in reply) this.settle(({ done }) => done(Buffer.from(reply.pdf)));
    else this.settle(({ failed }) => failed(new Error(`the document could not be set: ${reply.failure}`)));
  }

  private settle(tell: (rendering: Rendering) => void): void {
    clearInterval(this.watch);
    const { current } = this;
    this.current = null;
    this.idle = setTimeout(() => this.end(null), this.bounds.idleMs).unref();
    if (current !== null) tell(current);
  }

  private lost(child: ChildProcess, error: Error): void {
    if (child === this.child) this.end(error);
  }

  /** The document in hand fails, with what it was; null: there is none. */
  private end(error: Error | null): void {
    const { child } = this;
    this.child = null;
    clearTimeout(this.idle);
    child?.kill('SIGKILL');
    if (error !== null) this.settle(({ failed }) => failed(error));
  }

  /** Looks after the document in hand five times a second. */
  private bound(child: ChildProcess): void {
    const until = performance.now() + this.bounds.timeMs;
    this.watch = setInterval(() => {
      if (performance.now() > until) this.end(new DocumentTooLarge(`the document was not set within ${this.bounds.timeMs} ms`));
      else if (memoryOf(child) > this.bounds.memoryBytes) this.end(new DocumentTooLarge('the document took more memory than one may'));
    }, 200);
    this.watch.unref();
  }
}

/** In bytes, what of it is in memory; 0 where the system does not say. */
function memoryOf({ pid }: ChildProcess): number {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return Number(pages) * 4096;
  } catch {
    return 0;
  }
}
