import { requestReadyMail } from '../../src/db/repositories/order-mails';
import type { MessageOf } from '../../src/domain/order-messages';
import type { StoredKind } from './kind';

/** An order with the stage `ready` already got the mail. */
export const completed: StoredKind<MessageOf<'completed'>> = {
  async store({ sql, orderId, before, now }) {
    if (before.stage !== 'ready') await requestReadyMail(sql, orderId, now);
  },
};
