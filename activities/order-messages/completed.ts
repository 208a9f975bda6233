import { cancelReadyMail, requestReadyMail } from '../../src/db/repositories/order-mails';
import { findSignedBy } from '../../src/db/repositories/order-messages';
import type { MessageOf } from '../../src/domain/order-messages';
import type { StoredKind } from './kind';

export const completed: StoredKind<MessageOf<'completed'>> = {
  // The message has no name, because Temporal stores none.
  async prepare({ sql, orderId, sender, before, now }, { milestoneId }) {
    const signedBy = sender === null ? null : await findSignedBy(sql, orderId, milestoneId, sender.requestId);
    if (signedBy !== null) {
      await cancelReadyMail(sql, orderId);
      return { content: { signedBy } };
    }
    // An order with the stage `ready` already got the mail.
    if (before.stage !== 'ready') await requestReadyMail(sql, orderId, now);
    return {};
  },
};
