import { requestComparison } from '../../src/db/repositories/order-artwork';
import type { MessageOf } from '../../src/domain/order-messages';
import { startArtworkComparison } from '../artwork';
import type { DatabaseSteps } from './kind';

export const productionStarted: DatabaseSteps<MessageOf<'production_started'>> = {
  store: ({ sql, orderId }) => requestComparison(sql, orderId),
  afterCommit: startArtworkComparison,
};
