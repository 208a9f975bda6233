/** The timer of a whole attempt. Each phase sets its own expiry handler. */
export class AttemptTimer {
  isExpired = false;
  private onExpiry: () => void = () => undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(timeoutMs: number) {
    this.timer = setTimeout(() => {
      this.isExpired = true;
      this.onExpiry();
    }, timeoutMs);
  }

  /** Replaces the handler of the previous phase. */
  setExpiryHandler(onExpiry: () => void): void {
    this.onExpiry = onExpiry;
    if (this.isExpired) onExpiry();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.onExpiry = () => undefined;
  }
}
