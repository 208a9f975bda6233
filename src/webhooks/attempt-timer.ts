/** Limits the duration of a whole attempt. `stopSignal` ends it early. Each phase sets its own expiry handler. */
export class AttemptTimer {
  isExpired = false;
  private onExpiry: () => void = () => undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    timeoutMs: number,
    private readonly stopSignal?: AbortSignal,
  ) {
    this.timer = setTimeout(this.expire, timeoutMs);
    if (stopSignal?.aborted === true) this.expire();
    else stopSignal?.addEventListener('abort', this.expire);
  }

  /** Replaces the handler of the previous phase. */
  setExpiryHandler(onExpiry: () => void): void {
    this.onExpiry = onExpiry;
    if (this.isExpired) onExpiry();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.stopSignal?.removeEventListener('abort', this.expire);
    this.onExpiry = () => undefined;
  }

  private readonly expire = (): void => {
    this.isExpired = true;
    this.onExpiry();
  };
}
