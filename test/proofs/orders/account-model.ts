/**
 * The debt and credit of an account, and the result of each request about its money, calculated from orders, payments, credit notes and
 * refunds by the text of the rulings. It imports nothing, so it shares no error with the service.
 */

type OrderEnvironment = 'live' | 'test';

/** A part of a payment on account, for the invoice of an order. */
export interface PaymentShare {
  orderId: string;
  cents: number;
}

/** Times are milliseconds. */
interface PaymentContent {
  cents: number;
  at: number | null;
  reference: string | null;
}

/** One request, in any form. */
export type OracleRequest =
  | { what: 'place'; world: OrderEnvironment; cents: number }
  | { what: 'client cancel' | 'studio cancel'; orderId: string }
  | ({ what: 'pay'; orderId: string; id: string } & PaymentContent)
  | { what: 'reverse'; orderId: string; id: string }
  | { what: 'note'; orderId: string; id: string; cents: number; reason: string }
  | { what: 'reverse note'; orderId: string; id: string; reversalId: string; reason: string }
  | ({
      what: 'pay account';
      world: OrderEnvironment;
      id: string;
      source: 'money' | 'credit';
      shares: PaymentShare[] | null;
    } & PaymentContent)
  | { what: 'reverse account'; id: string }
  | { what: 'refund'; world: OrderEnvironment; id: string; cents: number; reference: string | null }
  | { what: 'reverse refund'; id: string; reversalId: string; reason: string }
  | { what: 'limit'; cents: number | null }
  | { what: 'currency'; currency: string };

interface Order {
  id: string;
  world: OrderEnvironment;
  currency: string;
  cents: number;
  payments: Map<string, { cents: number; content: string; isReversed: boolean }>;
  notes: Map<string, { cents: number; content: string; isReversed: boolean }>;
  /** Contents of credit note reversals, by their ids. */
  reversals: Map<string, string>;
  isCancelled: boolean;
}

interface AccountPayment {
  world: OrderEnvironment;
  source: 'money' | 'credit';
  cents: number;
  shares: PaymentShare[];
  content: string;
  isReversed: boolean;
}

interface Refund {
  world: OrderEnvironment;
  cents: number;
  content: string;
  reversal: { id: string; reason: string } | null;
}

/** A line of the statement. */
interface Entry {
  type: 'invoice' | 'void' | 'payment' | 'reversal' | 'credit_note' | 'refund';
  amountCents: number;
  orderId: string | null;
  paymentId: string | null;
  refundId: string | null;
}

const sum = (cents: Iterable<number>): number => [...cents].reduce((total, one) => total + one, 0);
const sumUnreversed = (of: Map<string, { cents: number; isReversed: boolean }>): number =>
  sum([...of.values()].filter(({ isReversed }) => !isReversed).map(({ cents }) => cents));
const accountPaymentId = (id: string): string => `account:${id}`;
const describeShares = (shares: PaymentShare[] | null): string =>
  shares === null ? 'oldest' : JSON.stringify(shares.map(({ orderId, cents }) => [orderId, cents]).toSorted());

export class AccountOracle {
  readonly orders = new Map<string, Order>();
  readonly payments = new Map<string, AccountPayment>();
  readonly refunds = new Map<string, Refund>();
  readonly entries: Record<OrderEnvironment, Entry[]> = { live: [], test: [] };
  limitCents: number | null = null;

  constructor(public currency: string) {}

  /** Applies an action. @returns OK, or the code of the refusal */
  answer(ask: OracleRequest): string {
    switch (ask.what) {
      case 'place':
        return this.isWithinLimit(ask.world, ask.cents) ? 'OK' : 'CREDIT_LIMIT_EXCEEDED';
      case 'client cancel':
        return this.cancel(this.order(ask.orderId), false);
      case 'studio cancel':
        return this.cancel(this.order(ask.orderId), true);
      case 'pay':
        return this.pay(ask);
      case 'reverse':
        return this.reverse(ask);
      case 'note':
        return this.note(ask);
      case 'reverse note':
        return this.reverseNote(ask);
      case 'pay account':
        return this.payAccount(ask);
      case 'reverse account':
        return this.reverseAccount(ask.id);
      case 'refund':
        return this.refund(ask);
      case 'reverse refund':
        return this.reverseRefund(ask);
      case 'limit':
        this.limitCents = ask.cents;
        return 'OK';
      case 'currency':
        return this.changeCurrency(ask.currency);
    }
  }

  /** A placed order, with the id that the service assigned. */
  recordOrder(id: string, world: OrderEnvironment, cents: number): void {
    const none = { payments: new Map(), notes: new Map(), reversals: new Map() };
    this.orders.set(id, { id, world, currency: this.currency, cents, ...none, isCancelled: false });
    this.addEntry(world, { type: 'invoice', amountCents: cents, orderId: id });
  }

  ordersIn(world: OrderEnvironment): Order[] {
    return [...this.orders.values()].filter((order) => order.world === world);
  }

  /** The open amount of the order's invoice (rulings 52 and 55). */
  due(order: Order): number {
    return order.isCancelled ? 0 : Math.max(0, order.cents - sumUnreversed(order.payments) - sumUnreversed(order.notes));
  }

  outstanding(world: OrderEnvironment): number {
    return sum(this.ordersIn(world).map((order) => this.due(order)));
  }

  /** Charges less credit notes and received money. Cancelled orders charge nothing (ruling 53). */
  balance(world: OrderEnvironment): number {
    const charged = this.ordersIn(world).map((order) => (order.isCancelled ? 0 : order.cents - sumUnreversed(order.notes)));
    const paid = this.ordersIn(world).flatMap(({ payments }) =>
      [...payments].filter(([id, { isReversed }]) => !isReversed && !id.startsWith(accountPaymentId(''))).map(([, { cents }]) => cents),
    );
    const money = [...this.payments.values()].filter((one) => one.world === world && one.source === 'money' && !one.isReversed);
    const back = [...this.refunds.values()].filter((one) => one.world === world && one.reversal === null);
    return sum(charged) - sum(paid) - sum(money.map(({ cents }) => cents)) + sum(back.map(({ cents }) => cents));
  }

  credit(world: OrderEnvironment): number {
    return this.outstanding(world) - this.balance(world);
  }

  /** Ruling 68. */
  available(world: OrderEnvironment): number | null {
    return this.limitCents === null ? null : Math.max(0, this.limitCents - this.usedCredit(world));
  }

  invoice(order: Order) {
    const [paidCents, creditedCents] = [sumUnreversed(order.payments), sumUnreversed(order.notes)];
    const settled = paidCents + creditedCents;
    const credited = creditedCents >= order.cents ? 'credited' : null;
    const paid = settled >= order.cents ? 'paid' : settled > 0 ? 'part_paid' : 'open';
    return {
      orderId: order.id,
      currency: order.currency,
      amountCents: order.cents,
      paidCents,
      creditedCents,
      dueCents: this.due(order),
      state: order.isCancelled ? 'void' : (credited ?? paid),
    };
  }

  private order(id: string): Order {
    const found = this.orders.get(id);
    if (found === undefined) throw new Error(`the oracle knows no order ${id}`);
    return found;
  }

  private addEntry(world: OrderEnvironment, entry: Pick<Entry, 'type' | 'amountCents'> & Partial<Entry>): void {
    // No entry has the amount -0.
    this.entries[world].push({ orderId: null, paymentId: null, refundId: null, ...entry, amountCents: entry.amountCents + 0 });
  }

  private isWithinLimit(world: OrderEnvironment, cents: number): boolean {
    return this.limitCents === null || this.usedCredit(world) + cents <= this.limitCents;
  }

  private usedCredit(world: OrderEnvironment): number {
    return this.outstanding(world) - this.credit(world);
  }

  /** Voids the unpaid part and credits payments with a note (ruling 53). Payments prevent the client's cancel (ruling 30). */
  private cancel(order: Order, byStudio: boolean): string {
    if (order.isCancelled) return 'OK';
    const paid = sumUnreversed(order.payments);
    if (!byStudio && paid > 0) return 'ORDER_NOT_CANCELLABLE';
    this.addEntry(order.world, { type: 'void', amountCents: -this.due(order), orderId: order.id });
    const noteCents = Math.min(paid, order.cents - sumUnreversed(order.notes));
    if (noteCents > 0) {
      order.notes.set('cancel', { cents: noteCents, content: '', isReversed: false });
      this.addEntry(order.world, { type: 'credit_note', amountCents: -noteCents, orderId: order.id });
    }
    order.isCancelled = true;
    return 'OK';
  }

  private pay({ orderId, id, cents, at, reference }: Extract<OracleRequest, { what: 'pay' }>): string {
    const order = this.order(orderId);
    const content = JSON.stringify([cents, at, reference]);
    const known = order.payments.get(id);
    if (known !== undefined) return repeatOutcome(known.content === content, known.isReversed);
    if (cents > this.due(order)) return 'MILESTONE_REFUSED';
    order.payments.set(id, { cents, content, isReversed: false });
    this.addEntry(order.world, { type: 'payment', amountCents: -cents, orderId, paymentId: id });
    return 'OK';
  }

  /** Allowed also if its credit was used (ruling 66). Shares of payments on account are reversed only with the whole payment (ruling 54). */
  private reverse({ orderId, id }: Extract<OracleRequest, { what: 'reverse' }>): string {
    const { payments, world } = this.order(orderId);
    const payment = payments.get(id);
    if (payment === undefined) return 'NOT_FOUND';
    if (payment.isReversed) return 'OK';
    if (id.startsWith(accountPaymentId(''))) return 'MILESTONE_REFUSED';
    payment.isReversed = true;
    this.addEntry(world, { type: 'reversal', amountCents: payment.cents, orderId, paymentId: id });
    return 'OK';
  }

  private note({ orderId, id, cents, reason }: Extract<OracleRequest, { what: 'note' }>): string {
    const order = this.order(orderId);
    const content = JSON.stringify([cents, reason]);
    const known = order.notes.get(id);
    if (known !== undefined) return repeatOutcome(known.content === content, known.isReversed);
    if (order.isCancelled || cents > order.cents - sumUnreversed(order.notes)) return 'MILESTONE_REFUSED';
    order.notes.set(id, { cents, content, isReversed: false });
    this.addEntry(order.world, { type: 'credit_note', amountCents: -cents, orderId });
    return 'OK';
  }

  private reverseNote({ orderId, id, reversalId, reason }: Extract<OracleRequest, { what: 'reverse note' }>): string {
    const order = this.order(orderId);
    const note = order.notes.get(id);
    if (note === undefined) return 'NOT_FOUND';
    const content = JSON.stringify([id, reason]);
    const known = order.reversals.get(reversalId);
    if (known !== undefined) return known === content ? 'OK' : 'MILESTONE_ID_REUSED';
    if (note.isReversed || order.isCancelled) return 'MILESTONE_REFUSED';
    const before = this.credit(order.world);
    note.isReversed = true;
    const after = this.credit(order.world);
    if (after < before && after < 0) {
      note.isReversed = false;
      return 'CREDIT_INSUFFICIENT';
    }
    order.reversals.set(reversalId, content);
    this.addEntry(order.world, { type: 'reversal', amountCents: note.cents, orderId });
    return 'OK';
  }

  private payAccount(ask: Extract<OracleRequest, { what: 'pay account' }>): string {
    const { world, id, source, cents } = ask;
    const content = JSON.stringify([world, source, cents, ask.at, ask.reference, describeShares(ask.shares)]);
    const known = this.payments.get(id);
    if (known !== undefined && known.content !== content) return 'PAYMENT_ID_REUSED';
    if (known !== undefined) return known.isReversed ? 'PAYMENT_REFUSED' : 'OK';
    if (
      ask.shares?.some((share) => this.order(share.orderId).world !== world || share.cents > this.due(this.order(share.orderId))) === true
    )
      return 'PAYMENT_REFUSED';
    const shares = ask.shares ?? this.oldestFirstShares(world, cents);
    const rest = cents - sum(shares.map((share) => share.cents));
    if (source === 'credit' && rest > 0) return 'PAYMENT_REFUSED';
    if (source === 'credit' && cents > this.credit(world)) return 'CREDIT_INSUFFICIENT';
    this.payments.set(id, { world, source, cents, shares, content, isReversed: false });
    for (const share of shares)
      this.order(share.orderId).payments.set(accountPaymentId(id), { cents: share.cents, content: '', isReversed: false });
    this.enterPayment(id, shares, 'payment');
    return 'OK';
  }

  /** The oldest first (ruling 54). */
  private oldestFirstShares(world: OrderEnvironment, cents: number): PaymentShare[] {
    let left = cents;
    return this.ordersIn(world).flatMap((order) => {
      const taken = Math.min(left, this.due(order));
      left -= taken;
      return taken === 0 ? [] : [{ orderId: order.id, cents: taken }];
    });
  }

  private reverseAccount(id: string): string {
    const payment = this.payments.get(id);
    if (payment === undefined) return 'NOT_FOUND';
    if (payment.isReversed) return 'OK';
    payment.isReversed = true;
    const inOrder = [...this.orders.values()].flatMap((order) => payment.shares.filter(({ orderId }) => orderId === order.id));
    for (const { orderId } of inOrder) {
      const share = this.order(orderId).payments.get(accountPaymentId(id));
      if (share !== undefined) share.isReversed = true;
    }
    this.enterPayment(id, inOrder, 'reversal');
    return 'OK';
  }

  /** One entry for each share and one for the rest. Credit that pays an invoice changes no balance. */
  private enterPayment(id: string, shares: readonly PaymentShare[], type: 'payment' | 'reversal'): void {
    const { world, source, cents } = this.payments.get(id) as AccountPayment;
    const sign = type === 'payment' ? -1 : 1;
    for (const share of shares) {
      const amountCents = source === 'credit' ? 0 : sign * share.cents;
      this.addEntry(world, { type, amountCents, orderId: share.orderId, paymentId: id });
    }
    const rest = cents - sum(shares.map((share) => share.cents));
    if (rest > 0) this.addEntry(world, { type, amountCents: sign * rest, paymentId: id });
  }

  private refund({ world, id, cents, reference }: Extract<OracleRequest, { what: 'refund' }>): string {
    const content = JSON.stringify([world, cents, reference]);
    const known = this.refunds.get(id);
    if (known !== undefined && known.content !== content) return 'PAYMENT_ID_REUSED';
    if (known !== undefined) return known.reversal === null ? 'OK' : 'PAYMENT_REFUSED';
    if (cents > this.credit(world)) return 'CREDIT_INSUFFICIENT';
    this.refunds.set(id, { world, cents, content, reversal: null });
    this.addEntry(world, { type: 'refund', amountCents: cents, refundId: id });
    return 'OK';
  }

  private reverseRefund({ id, reversalId, reason }: Extract<OracleRequest, { what: 'reverse refund' }>): string {
    const refund = this.refunds.get(id);
    if (refund === undefined) return 'NOT_FOUND';
    if (refund.reversal !== null) {
      if (refund.reversal.id !== reversalId) return 'PAYMENT_REFUSED';
      return refund.reversal.reason === reason ? 'OK' : 'PAYMENT_ID_REUSED';
    }
    refund.reversal = { id: reversalId, reason };
    this.addEntry(refund.world, { type: 'reversal', amountCents: -refund.cents, refundId: id });
    return 'OK';
  }

  /** Only while nothing is invoiced. */
  private changeCurrency(currency: string): string {
    if (currency !== this.currency && this.orders.size > 0) return 'VALIDATION_ERROR';
    this.currency = currency;
    return 'OK';
  }
}

/** A message that was sent to the order before. */
const repeatOutcome = (isSame: boolean, isReversed: boolean): string =>
  !isSame ? 'MILESTONE_ID_REUSED' : isReversed ? 'MILESTONE_REFUSED' : 'OK';
