import type { Transaction } from '../../src/db/database';
import type { LockedOrder } from '../../src/db/repositories/orders';
import type { OrderWithRelations } from '../../src/db/rows';
import type { ErrorCode, ErrorDetails } from '../../src/domain/errors';
import type { Change, MessageSender } from '../../src/domain/order-messages';
import type { OrderFacts } from '../../src/domain/order-status';
import type { ActivityDeps } from '../deps';

/** A message on its locked order. */
export interface MessageContext {
  deps: ActivityDeps;
  sql: Transaction;
  orderId: string;
  /** Null for a signal. */
  sender: MessageSender | null;
  before: LockedOrder;
  /** The facts after the message. For `corrected`, `check` gets those before it. */
  facts: OrderFacts;
  now: Date;
}

export interface Refusal {
  refused: string;
  code?: ErrorCode;
  details?: ErrorDetails;
}

/** `unchanged` stores nothing. `change` replaces the workflow's decision. */
export type CheckResult = Refusal | 'unchanged' | { change: Change } | null;

export interface Prepared {
  /** Further fields of the entry in the timeline. */
  content?: Record<string, unknown>;
  /** The time of the next check for missing artwork, if it changed. */
  artworkDue?: string | null;
}

/**
 * The database's part of one kind of message, in the order of its steps. All run in the transaction of the message. The statements of
 * `load` are sent together, and so are those of `store` and `attend`.
 */
export interface DatabaseSteps<Message, Loaded = unknown, Stored = unknown> {
  /** Its action in the audit log. Default for milestones: `milestone.<type>`. Messages of clients are in the timeline only. */
  action?: string;
  /** `load` locks uploads. */
  locksUploads?: true;
  /** Locks and reads what the later steps need, after the order was locked. */
  load?(sql: Transaction, orderId: string, message: Message, deps: ActivityDeps): Promise<Loaded>;
  /** Checks what only the database knows. Null accepts the message. */
  check?(context: MessageContext, message: Message, loaded: Loaded): CheckResult | Promise<CheckResult>;
  /** Writes that need each other's answers. */
  prepare?(context: MessageContext, message: Message, loaded: Loaded): Promise<Prepared>;
  /** Writes everything outside of the order's row, and reads what `finish` needs. */
  store?(context: MessageContext, message: Message, loaded: Loaded): Promise<Stored>;
  /** Raises and clears attention. As `store`, it calls all its statements at once, because COMMIT may follow. */
  attend?(context: MessageContext, message: Message): Promise<unknown>;
  /** Runs last: a failure after booking would leave a gap in the document numbers. */
  finish?(context: MessageContext, order: OrderWithRelations, message: Message, loaded: Loaded, stored: Stored): Promise<void>;
  /** Runs after the commit. */
  afterCommit?(deps: ActivityDeps, orderId: string): void;
}
