import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { ChildUser } from '../platform/child-user';
import { ApiError } from '../domain/errors';
import type { Logger } from '../platform/logger';
import { memoryField } from '../platform/process-status';
import { projectRoot } from '../platform/project-root';
import { DocumentTooLarge, RenderingFailed, renderWithFallbacks } from './render-with-fallbacks';

type Template = 'badge' | 'cutting-list' | 'job-sheet' | 'packing-slip' | 'invoice' | 'statement';

export interface PdfContent {
  template: Template;
  /** The values of the template. Any text is allowed: it is made printable and never interpreted as code. */
  data: { title: string; footer: string; isTest: boolean; [name: string]: unknown };
  /** Texts for Code 128 barcodes. The key `order-number-0` makes the picture `order-number-0.svg`. */
  barcodes?: Readonly<Record<string, string>>;
  /** WebP images, by their names in `data`. */
  pictures?: ReadonlyMap<string, Buffer>;
}

/** Limits for one document and for the queue. */
export interface RendererBounds {
  maxWaiting: number;
  /** How long the process may take to start. */
  startMs: number;
  /** The CPU time of a document in a started process. */
  timeMs: number;
  /** How long a document may take in a started process. A busy machine needs longer than its CPU time. */
  busyMs: number;
  memoryBytes: number;
  /** The process ends after this idle time, to free its memory. */
  idleMs: number;
}

export const BOUNDS: RendererBounds = {
  maxWaiting: 30,
  startMs: 60_000,
  timeMs: 20_000,
  busyMs: 80_000,
  memoryBytes: 768 * 1024 * 1024,
  idleMs: 60_000,
};

interface Rendering {
  resolve: (pdf: Buffer) => void;
  reject: (error: Error) => void;
}

type Reply = { ready: true; isRoot: boolean } | { id: number; pdf: Uint8Array } | { id: number; failure: string };

/**
 * Renders documents one at a time in a child process (`src/documents/templates/pdf-renderer.mjs`), so no document can block or stop the
 * API. If a document takes too long or too much memory, the child is killed, and the next document starts a new one.
 */
export class PdfRenderer {
  private readonly limit = pLimit(1);
  private child: ChildProcess | null = null;
  private isReady = false;
  /** When the current document must be rendered; before the process is ready, when it must be ready. */
  private deadlineMs = 0;
  /** The CPU time of the process before the current document. */
  private cpuBeforeMs = 0;
  private current: Rendering | null = null;
  private lastId = 0;
  private isClosed = false;
  private watchdog: NodeJS.Timeout | undefined;
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly bounds: RendererBounds = BOUNDS,
    private readonly program = join(projectRoot, 'src', 'documents', 'templates', 'pdf-renderer.mjs'),
    /** The user that the child process runs as; null for the parent's user. */
    private readonly user: ChildUser | null = null,
  ) {}

  /** @throws ApiError RATE_LIMITED if too many documents wait */
  assertCapacity(): void {
    if (this.limit.activeCount + this.limit.pendingCount > this.bounds.maxWaiting)
      throw new ApiError(
        'RATE_LIMITED',
        `${this.bounds.maxWaiting} documents are waiting to be rendered; try again in a few seconds`,
        undefined,
        2,
      );
  }

  /**
   * @param createdAt the PDF's creation date
   * @returns the bytes of a PDF
   * @throws ApiError RATE_LIMITED if too many documents wait, OVERLOADED if the machine is too busy; RenderingFailed if the document cannot
   * be rendered
   */
  render(content: PdfContent, createdAt: Date): Promise<Buffer> {
    this.assertCapacity();
    return this.renderReplacingTexts(content, createdAt);
  }

  /** Each attempt joins the queue again, so a document that needs many attempts does not block others. */
  private async renderReplacingTexts(content: PdfContent, createdAt: Date): Promise<Buffer> {
    const render = (data: PdfContent['data']): Promise<Buffer> => this.limit(() => this.renderOnce({ ...content, data }, createdAt));
    const { pdf, replaced } = await renderWithFallbacks(content.data, render, this.bounds.timeMs);
    if (replaced.size > 0)
      this.logger.warn({ template: content.template, texts: replaced.size }, 'some texts were printed as [unprintable]');
    return pdf;
  }

  private renderOnce(
    { template, data, barcodes = {}, pictures = new Map<string, Buffer>() }: PdfContent,
    createdAt: Date,
  ): Promise<Buffer> {
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
          { id: this.lastId, template, data: { ...data, createdAtSeconds }, barcodes, pictures: Object.fromEntries(pictures) },
          (error) => error !== null && this.stopProcess(error),
        );
      } catch (error) {
        this.finish(() => reject(error as Error)); // the message cannot be serialized
      }
    });
  }

  /** Rejects waiting documents. */
  close(): void {
    this.isClosed = true;
    this.stopProcess(new Error('the service is stopping'));
  }

  /** Starts the child without environment variables, because it needs no secrets. */
  private startProcess(): ChildProcess {
    this.isReady = false;
    const child = fork(this.program, this.user === null ? [] : [String(this.user.uid), String(this.user.gid)], {
      serialization: 'advanced',
      env: {},
      execArgv: ['--max-old-space-size=256'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr?.on('data', (written: Buffer) => this.logFailure(written.toString()));
    child.on('message', (reply: Reply) => this.handleReply(child, reply));
    child.on('error', (error) => this.handleExit(child, error));
    child.on('exit', (code, signal) => this.handleExit(child, new RenderingFailed(`the PDF renderer ended (${signal ?? code})`)));
    child.unref();
    child.channel?.unref();
    return child;
  }

  /** Logs only the location of the failure, because the rest of the output may contain a customer's text. */
  private logFailure(output: string): void {
    const [location] = /panicked at \S+|FATAL ERROR: .*/.exec(output) ?? [];
    if (location !== undefined) this.logger.warn({ where: location }, 'the PDF renderer failed');
  }

  private handleReply(child: ChildProcess, reply: Reply): void {
    if ('ready' in reply && reply.isRoot && this.user !== null)
      this.logger.warn({ uid: this.user.uid }, 'PDFs are rendered as root, because CHILD_USER cannot read the templates or the fonts');
    if (child !== this.child) return;
    if ('ready' in reply) {
      this.isReady = true;
      this.startTime(child);
      return;
    }
    if (reply.id !== this.lastId) return;
    if ('pdf' in reply) this.finish(({ resolve }) => resolve(Buffer.from(reply.pdf)));
    else this.finish(({ reject }) => reject(new RenderingFailed(`the document could not be rendered: ${reply.failure}`)));
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

  /** @param error the error of the document that is being rendered; null if the process is idle */
  private stopProcess(error: Error | null): void {
    const { child } = this;
    this.child = null;
    clearTimeout(this.idleTimer);
    child?.kill('SIGKILL');
    if (error !== null) this.finish(({ reject }) => reject(error));
  }

  private startTime(child: ChildProcess): void {
    this.deadlineMs = performance.now() + (this.isReady ? this.bounds.busyMs : this.bounds.startMs);
    this.cpuBeforeMs = cpuTimeOf(child);
  }

  /** Checks the current document's time and memory five times a second. */
  private enforceBounds(child: ChildProcess): void {
    const { startMs, timeMs, busyMs } = this.bounds;
    this.startTime(child);
    this.watchdog = setInterval(() => {
      if (this.isReady && cpuTimeOf(child) - this.cpuBeforeMs > timeMs)
        this.stopProcess(new DocumentTooLarge(`the document was not rendered within ${timeMs} ms`));
      else if (performance.now() > this.deadlineMs)
        this.stopProcess(
          tooBusy(
            this.isReady ? `the document was not rendered within ${busyMs} ms` : `the PDF renderer did not start within ${startMs} ms`,
          ),
        );
      else if (memoryOf(child) > this.bounds.memoryBytes) this.stopProcess(new DocumentTooLarge('the document exceeded the memory limit'));
    }, 200);
    this.watchdog.unref();
  }
}

/** The document is not the cause. */
const tooBusy = (message: string): ApiError => new ApiError('OVERLOADED', `${message}; repeat the request`, undefined, 5);

/** The kernel's unit of CPU time, ms. It is the same on all of Linux's architectures. */
const CLOCK_TICK_MS = 10;

/** The CPU time of the process, ms; 0 if the system does not report it. */
function cpuTimeOf({ pid }: ChildProcess): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user = '0', system = '0'] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * CLOCK_TICK_MS;
  } catch {
    return 0;
  }
}

/** The resident memory in bytes; 0 if the system does not report it. */
function memoryOf({ pid }: ChildProcess): number {
  try {
    return memoryField(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS') ?? 0;
  } catch {
    return 0;
  }
}
