/** How many pieces of work of one account may hold a connection of this process, and how long the others wait for it, ms. */
const AT_ONCE = 2;
const PATIENCE_MS = 10_000;

/**
 * Makes one account's burst wait here, where it holds no connection. Two of an account go on at once, one that has the account's lock and
 * one that is next; so an account that waits for its own row never keeps the others waiting.
 */
export class AccountTurns {
  private readonly accounts = new Map<string, { running: number; waiting: (() => void)[] }>();

  constructor(
    private readonly atOnce = AT_ONCE,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** @throws Error when it does not come to its turn in time; then nothing was begun. */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    await this.enter(accountId);
    try {
      return await work();
    } finally {
      this.leave(accountId);
    }
  }

  private enter(accountId: string): Promise<void> {
    const account = this.accounts.get(accountId) ?? { running: 0, waiting: [] };
    this.accounts.set(accountId, account);
    if (account.running < this.atOnce) {
      account.running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        account.waiting.splice(account.waiting.indexOf(go), 1);
        reject(new Error(`account ${accountId} has too much under way`));
      }, this.patienceMs);
      account.waiting.push(go);
    });
  }

  private leave(accountId: string): void {
    const account = this.accounts.get(accountId);
    const next = account?.waiting.shift();
    if (account === undefined) return;
    if (next !== undefined)
      next(); // its turn goes on as the next one's
    else account.running -= 1;
    if (account.running === 0) this.accounts.delete(accountId);
  }
}
