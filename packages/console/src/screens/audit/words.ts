import { MOVES } from '../order/actions/consequences';
import { happened } from '../order/words';
import { wordsOf } from '../../shared/status';
import { known } from '../../shared/known';

/** What was done, as one says it of somebody: "Ada … shipped a parcel". */
const WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(MOVES).map((type) => [`milestone.${type}`, happened(type)])),
  'milestone.released': 'Released from hold',
  'milestone.cancelled': 'Cancelled an order',
  'milestone.correct': 'Took a milestone back',
  'parcel.add': 'Shipped a parcel',
  'parcel.void': "Voided a parcel's label",
  'order.remake': 'Had an order made again',
  'attention.resolve': 'Saw to what needed a person',
  'payment.record': 'Recorded a payment',
  'payment.reverse': 'Reversed a payment',
  'account-payment.record': 'Recorded a payment on account',
  'account-payment.reverse': 'Reversed a payment on account',
  'credit-note.write': 'Wrote a credit note',
  'credit-note.reverse': 'Reversed a credit note',
  'refund.record': 'Recorded a refund',
  'refund.reverse': 'Reversed a refund',
  'account.create': 'Opened an account',
  'account.change': 'Changed an account',
  'account.erase': "Erased customers' data of an account",
  'key.create': 'Made an API key',
  'key.revoke': 'Revoked an API key',
  'endpoint.create': 'Registered an endpoint',
  'endpoint.change': 'Changed an endpoint',
  'endpoint.enable': 'Enabled an endpoint',
  'endpoint.disable': 'Disabled an endpoint',
  'endpoint.delete': 'Deleted an endpoint',
  'endpoint.rotate_secret': 'Gave an endpoint a new secret',
  'endpoint.ping': 'Pinged an endpoint',
  'endpoint.recover': 'Recovered webhooks',
  'delivery.resend': 'Resent a webhook',
  'catalogue.put': 'Wrote a row of the catalogue',
  'catalogue.withdraw': 'Withdrew a row of the catalogue',
  'catalogue.restore': 'Restored a row of the catalogue',
  'price-book.publish': 'Published a price book',
  'settings.change': 'Changed the settings',
  'token.create': 'Made a token for somebody',
  'token.revoke': 'Revoked a token',
  'sign-in': 'Signed in',
  'sign-out': 'Signed out',
  'session.reauthenticate': 'Entered the token again',
  'session.end': 'Ended a session',
  'sign-in.failed': 'Failed to sign in',
  'role.refused': 'Was refused for want of a role',
  'write.refused': 'Change refused',
  'ping.failed': 'Ping failed',
  'authentication.failed': 'API key refused',
  'scope.refused': 'API key lacks a scope',
};

/** Every action that has words, in the order of a working day. */
export const ACTIONS: readonly string[] = Object.keys(WORDS);

/** `parcel.add` as people say it; one that is new is told by its own name. */
export const actionWords = (action: string): string => known(WORDS, action) ?? wordsOf(action.replaceAll(/[.-]/g, ' '));

/** `creditLimitCents` as people say it: `Credit limit`; units go into the value. */
export function fieldWords(field: string): string {
  const [last = field] = field.split('.').slice(-1);
  const words = last.replace(/(Cents|Bps|At)$/, '').replaceAll(/([A-Z])/g, ' $1');
  return wordsOf(words === '' ? last : words);
}
