import { requestReadyMail } from '../../src/db/repositories/order-mails';
import { findSignedBy } from '../../src/db/repositories/order-messages';
import type { MessageOf } from '../../src/domain/order-messages';
import type { DatabaseSteps } from './kind';

/** `signedBy` refers to the row with the name, because Temporal stores no names. */
export const completed: DatabaseSteps<MessageOf<'completed'>, string | null> = {
  load: async (sql, _orderId, { signedBy }) => (signedBy ? findSignedBy(sql, signedBy) : null),
  check(_context, { signedBy }, name) {
    if (!signedBy || name !== null) return null;
    return { refused: 'the request no longer waits, so the name is gone; send it again', code: 'SERVICE_UNAVAILABLE' };
  },
  prepare: async (_context, _message, name) => (name === null ? {} : { content: { signedBy: name } }),
  /** An order with the stage `ready` already got the mail. */
  async store({ sql, orderId, before, now }, { signedBy }) {
    if (!signedBy && before.stage !== 'ready') await requestReadyMail(sql, orderId, now);
  },
};
