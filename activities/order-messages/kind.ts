import type { Sql } from '../../src/db/database';
import type { LockedOrder } from '../../src/db/repositories/orders';
import type { OrderWithRelations } from '../../src/db/rows';
import type { ErrorCode, ErrorDetails } from '../../src/domain/errors';
import type { Change, MessageSender } from '../../src/domain/order-messages';
import type { OrderFacts } from '../../src/domain/order-status';
import type { ActivityDeps } from '../deps';

/** A message on its locked order. */
export interface MessageContext {
  deps: ActivityDeps;
  sql: Sql;
  orderId: string;
  /** Null for a signal. */
  sender: MessageSender | null;
  before: LockedOrder;
  /** The facts after the message; before it while `check` decides by the timeline. */
  facts: OrderFacts;
  now: Date;
}

export interface Refusal {
  refused: string;
  code?: ErrorCode;
  details?: ErrorDetails;
}

/** `unchanged` stores nothing. `change` replaces the workflow's decision. `loaded` is passed on to the later steps. */
type Checked<Loaded> = Refusal | 'unchanged' | { change?: Change; loaded?: Loaded } | null;

interface Stored {
  /** Further fields of the entry in the timeline. */
  content?: Record<string, unknown>;
  /** The time of the next check for missing artwork, if it changed. */
  artworkDue?: string | null;
}

/** The database's part of one kind of message, in the order of its steps. All run in the transaction of the message. */
export interface StoredKind<Message, Loaded = unknown> {
  /** Its action in the audit log. Default for milestones: `milestone.<type>`. Messages of clients are in the timeline only. */
  action?: string;
  /** Locks further rows, after the order. */
  lock?(sql: Sql, orderId: string, message: Message): Promise<void>;
  /** Checks what only the database knows. Null accepts the message. */
  check?(context: MessageContext, message: Message): Promise<Checked<Loaded>>;
  /** Writes everything outside of the order's row. */
  store?(context: MessageContext, message: Message, loaded: Loaded): Promise<Stored | void>;
  /** Raises and clears attention. */
  attend?(context: MessageContext, message: Message): Promise<void>;
  /** Runs last: a failure after booking would leave a gap in the document numbers. */
  finish?(context: MessageContext, order: OrderWithRelations, message: Message, loaded: Loaded): Promise<void>;
  /** Runs after the commit. */
  afterCommit?(deps: ActivityDeps, orderId: string): void;
}
