import { requestReadyMail } from '../../src/db/repositories/order-mails';
import type { MessageOf } from '../../src/domain/order-messages';
import type { StoredKind } from './kind';

export const completed: StoredKind<MessageOf<'completed'>> = {
  store: ({ sql, orderId, now }) => requestReadyMail(sql, orderId, now),
};
