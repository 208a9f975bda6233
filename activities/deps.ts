import type { Dependencies } from '../src/dependencies';

/** What activities reach the world through. */
export type ActivityDeps = Pick<
  Dependencies,
  | 'database'
  | 'clock'
  | 'mailer'
  | 'temporal'
  | 'logger'
  | 'deliveryBell'
  | 'accountTurns'
  | 'pricingTerms'
  | 'webhookSender'
  | 'webhookRetryScheduleMs'
  | 'attemptsInFlight'
  | 'freshEndpoints'
  | 'secretBox'
  | 'senderSecret'
  | 'studioMail'
  | 'publicBaseUrl'
  | 'storage'
  | 'uploadUnusedDays'
  | 'quoteRetentionDays'
>;
