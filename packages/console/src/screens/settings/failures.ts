import { ownValue } from '../../shared/own-value';

/** The steps of a run that can fail. */
const STEPS: Readonly<Record<string, string>> = {
  handOverDeliveries: 'Webhooks were not resumed',
  resumeLostOrders: 'Orders were not resumed',
  mailFailingEndpoints: 'Mails about endpoints were not sent',
  forgetExpired: 'Expired records were not deleted',
  assignEventPositions: 'Events were not numbered',
  compareArtwork: 'Artwork was not compared',
  sweepArtwork: 'Unused artwork was not deleted',
  eraseQuoteAddresses: 'Addresses were not erased',
  deleteOldAttempts: 'Webhook attempts were not deleted',
};

/** `forgetExpired: no such table` is "Expired records were not deleted (no such table)". */
export const failureWords = (failure: string): string =>
  failure.replaceAll(/(^|; )(\w+): (.*?)(?=; \w+: |$)/gs, (whole, start: string, step: string, reason: string) => {
    const words = ownValue(STEPS, step);
    return words === undefined ? whole : `${start}${words} (${reason})`;
  });
