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
interface RendererBounds {
  maxWaiting: number;
  timeMs: number;
  memoryBytes: number;
  /** After so long without work the process ends, and gives its memory back. */
  idleMs: number;
}

const BOUNDS: RendererBounds = { maxWaiting: 30, timeMs: 20_000, memoryBytes: 768 * 1024 * 1024, idleMs: 60_000 };

interface Rendering {
  resolve: (pdf: Buffer) => void;
  reject: (error: Error) => void;
}

type Reply = { ready: true; isRoot: boolean } | { id: number; pdf: Uint8Array } | { id: number; failure: string };

/**
 * Sets documents one after the other in a process of its own (`src/documents/templates/pdf-renderer.mjs`), which is ended when one takes too long or too much
 * memory, and started anew for the next: no document can hold up or take down the API. The process starts with the first document.
 */
export class PdfRenderer {
  private readonly limit = pLimit(1);
  private child: ChildProcess | null = null;
  private current: Rendering | null = null;
  private lastId = 0;
  private isClosed = false;
  private watchdog: NodeJS.Timeout | undefined;
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly bounds: RendererBounds = BOUNDS,
    private readonly program = join(projectRoot, 'src', 'documents', 'templates', 'pdf-renderer.mjs'),
    /** The user of the process; null: this process's own. */
    private readonly user: ChildUser | null = null,
  ) {}

  /**
   * @param createdAt what the PDF says of its making
   * @returns the bytes of a PDF
   * @throws ApiError RATE_LIMITED while too many wait; Error where it cannot be set
   */
  render(draft: Draft, createdAt: Date): Promise<Buffer> {
    if (this.limit.activeCount + this.limit.pendingCount > this.bounds.maxWaiting)
      throw new ApiError(
        'RATE_LIMITED',
        `${this.bounds.maxWaiting} documents are waiting to be set; ask for this one again shortly`,
        undefined,
        2,
      );
    return this.renderAnyText(draft, createdAt);
  }

  /** Other documents are rendered between its renderings. */
  private async renderAnyText(draft: Draft, createdAt: Date): Promise<Buffer> {
    const render = (data: Draft['data']): Promise<Buffer> => this.limit(() => this.renderOnce({ ...draft, data }, createdAt));
    const { pdf, replaced } = await renderWithFallbacks(draft.data, render, this.bounds.timeMs);
    if (replaced.size > 0) this.logger.warn({ template: draft.template, texts: replaced.size }, 'printed texts as [unprintable]');
    return pdf;
  }

  private renderOnce({ template, data, codes = {}, pictures = new Map<string, Buffer>() }: Draft, createdAt: Date): Promise<Buffer> {
    if (this.isClosed) return Promise.reject(new Error('the service is stopping'));
    clearTimeout(this.idleTimer);
    const child = (this.child ??= this.startProcess());
    this.enforceBounds(child);
    this.lastId += 1;
    const createdAtSeconds = Math.floor(createdAt.getTime() / 1000);
    return new Promise((resolve, reject) => {
      this.current = { resolve, reject };
      try {
        child.send(
          { id: this.lastId, template, data: { ...data, createdAtSeconds }, codes, pictures: Object.fromEntries(pictures) },
          (error) => error !== null && this.stopProcess(error),
        );
      } catch (error) {
        this.finish(() => reject(error as Error)); // it cannot be serialized
      }
    });
  }

  /** Nothing is set any more; what waits fails. */
  close(): void {
    this.isClosed = true;
    this.stopProcess(new Error('the service is stopping'));
  }

  /** It is told nothing of the environment, whose secrets it has no use for. */
  private startProcess(): ChildProcess {
    const child = fork(this.program, this.user === null ? [] : [String(this.user.uid), String(this.user.gid)], {
      serialization: 'advanced',
      env: {},
      execArgv: ['--max-old-space-size=256'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr?.on('data', (written: Buffer) => this.logFailure(written.toString()));
    child.on('message', (reply: Reply) => this.handleReply(child, reply));
    child.on('error', (error) => this.handleExit(child, error));
    child.on('exit', (code, signal) => this.handleExit(child, new Error(`the PDF renderer ended (${signal ?? code})`)));
    child.unref();
    child.channel?.unref();
    return child;
  }

  /** Logs where it failed; the rest of the line may quote a customer. */
  private logFailure(output: string): void {
    const [location] = /panicked at \S+|FATAL ERROR: .*/.exec(output) ?? [];
    if (location !== undefined) this.logger.warn({ where: location }, 'the renderer of documents failed');
  }

  private handleReply(child: ChildProcess, reply: Reply): void {
    if ('ready' in reply && reply.isRoot && this.user !== null)
      this.logger.warn({ uid: this.user.uid }, 'documents are set by root: CHILD_USER cannot read the templates or the fonts');
    if (child !== this.child || 'ready' in reply || reply.id !== this.lastId) return;
    if ('pdf' in reply) this.finish(({ resolve }) => resolve(Buffer.from(reply.pdf)));
    else this.finish(({ reject }) => reject(new Error(`the document could not be set: ${reply.failure}`)));
  }

  private finish(notify: (rendering: Rendering) => void): void {
    clearInterval(this.watchdog);
    const { current } = this;
    this.current = null;
    this.idleTimer = setTimeout(() => this.stopProcess(null), this.bounds.idleMs).unref();
    if (current !== null) notify(current);
  }

  private handleExit(child: ChildProcess, error: Error): void {
    if (child === this.child) this.stopProcess(error);
  }

  /** The document in hand fails, with what it was; null: there is none. */
  private stopProcess(error: Error | null): void {
    const { child } = this;
    this.child = null;
    clearTimeout(this.idleTimer);
    child?.kill('SIGKILL');
    if (error !== null) this.finish(({ reject }) => reject(error));
  }

  /** Looks after the document in hand five times a second. */
  private enforceBounds(child: ChildProcess): void {
    const deadlineMs = performance.now() + this.bounds.timeMs;
    this.watchdog = setInterval(() => {
      if (performance.now() > deadlineMs)
        this.stopProcess(new DocumentTooLarge(`the document was not set within ${this.bounds.timeMs} ms`));
      else if (memoryOf(child) > this.bounds.memoryBytes)
        this.stopProcess(new DocumentTooLarge('the document took more memory than one may'));
    }, 200);
    this.watchdog.unref();
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
