import type { MessageOf, OrderMessage, OrderMessageType } from '../../src/domain/order-messages';
import { artworkFitted } from './artwork-fitted';
import { artworkRejected } from './artwork-rejected';
import { artworkReplaced } from './artwork-replaced';
import { cancelled } from './cancelled';
import { changed } from './changed';
import { completed } from './completed';
import { corrected } from './corrected';
import { creditNoteReversed } from './credit-note-reversed';
import { creditNoted } from './credit-noted';
import type { DatabaseSteps } from './kind';
import { parcelAdded } from './parcel-added';
import { parcelVoided } from './parcel-voided';
import { paymentRecorded } from './payment-recorded';
import { paymentReversed } from './payment-reversed';
import { productionStarted } from './production-started';
import { framed, stageReported } from './stage-reported';

/** For a milestone that only changes the order's row. */
const ORDER_ROW_ONLY = {};

const DATABASE_STEPS = {
  production_started: productionStarted,
  printed: stageReported,
  framed,
  checked: stageReported,
  ready: stageReported,
  held: ORDER_ROW_ONLY,
  released: ORDER_ROW_ONLY,
  artwork_rejected: artworkRejected,
  completed,
  cancelled,
  corrected,
  parcel_added: parcelAdded,
  parcel_voided: parcelVoided,
  payment_recorded: paymentRecorded,
  payment_reversed: paymentReversed,
  credit_noted: creditNoted,
  credit_note_reversed: creditNoteReversed,
  changed,
  artwork_replaced: artworkReplaced,
  artwork_fitted: artworkFitted,
} as const satisfies { [Type in OrderMessageType]: DatabaseSteps<MessageOf<Type>> };

export const databaseStepsOf = ({ type }: OrderMessage): DatabaseSteps<OrderMessage> => DATABASE_STEPS[type];
