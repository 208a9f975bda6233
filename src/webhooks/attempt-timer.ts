/** The one timer that bounds a whole attempt. Each phase says what has to be done should it fire meanwhile. */
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

  /** Replaces what the phase before has asked for. */
  setExpiryHandler(onExpiry: () => void): void {
    this.onExpiry = onExpiry;
    if (this.isExpired) onExpiry();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.onExpiry = () => undefined;
  }
}
