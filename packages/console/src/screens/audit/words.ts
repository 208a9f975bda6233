import { ownValue } from '../../shared/own-value';
import { statusLabel } from '../../shared/words';

const LABELS: Readonly<Record<string, string>> = {
  'milestone.production_started': 'Production started',
  'milestone.printed': 'Printed',
  'milestone.framed': 'Framed',
  'milestone.checked': 'Checked',
  'milestone.ready': 'Ready',
  'milestone.held': 'Put on hold',
  'milestone.released': 'Released from hold',
  'milestone.artwork_rejected': 'Artwork rejected',
  'milestone.completed': 'Completed',
  'milestone.cancelled': 'Cancelled',
  'milestone.correct': 'Milestone undone',
  'parcel.add': 'Parcel added',
  'parcel.void': 'Parcel voided',
  'parcel.deliver': 'Delivery of a parcel changed',
  'order.change': 'Order changed',
  'order.remake': 'Order remade',
  'artwork.fit': 'Artwork fit chosen',
  'artwork.inspect': 'Artwork inspected again',
  'note.add': 'Note added',
  'note.pin': 'Note pinned or unpinned',
  'note.delete': 'Note deleted',
  'attention.resolve': 'Attention resolved',
  'payment.record': 'Payment recorded',
  'payment.reverse': 'Payment reversed',
  'account-payment.record': 'Account payment recorded',
  'account-payment.reverse': 'Account payment reversed',
  'credit-note.write': 'Credit note issued',
  'credit-note.reverse': 'Credit note reversed',
  'refund.record': 'Refund recorded',
  'refund.reverse': 'Refund reversed',
  'document.send': 'Document sent',
  'stages.change': 'Stages changed',
  'reminders.change': 'Reminders changed',
  'carriers.change': 'Carriers changed',
  'label-program.change': 'Label program changed',
  'statement-run.start': 'Statements sent to all',
  'statement-run.pause': 'Statement run paused',
  'statement-run.resume': 'Statement run resumed',
  'account.create': 'Account created',
  'account.change': 'Account changed',
  'account.erase': 'Personal data erased',
  'key.create': 'API key created',
  'key.revoke': 'API key revoked',
  'endpoint.create': 'Endpoint added',
  'endpoint.change': 'Endpoint changed',
  'endpoint.enable': 'Endpoint enabled',
  'endpoint.disable': 'Endpoint disabled',
  'endpoint.delete': 'Endpoint deleted',
  'endpoint.rotate_secret': 'Endpoint secret changed',
  'endpoint.ping': 'Endpoint pinged',
  'endpoint.recover': 'Webhooks resent',
  'delivery.resend': 'Webhook resent',
  'catalogue.put': 'Catalogue item saved',
  'catalogue.withdraw': 'Catalogue item withdrawn',
  'catalogue.restore': 'Catalogue item restored',
  'catalogue.stock': 'Stock of a material changed',
  'price-book.publish': 'Price book published',
  'settings.change': 'Settings changed',
  'token.create': 'Token created',
  'token.revoke': 'Token revoked',
  'badge.create': 'Badge created',
  'badge.revoke': 'Badge revoked',
  'sign-in': 'Signed in',
  'sign-out': 'Signed out',
  'session.reauthenticate': 'Token entered again',
  'session.end': 'Session ended',
  'sign-in.failed': 'Sign-in failed',
  'role.refused': 'Role refused',
  'write.refused': 'Change refused',
  'ping.failed': 'Ping failed',
  'authentication.failed': 'API key refused',
  'scope.refused': 'Scope refused',
};

export const ACTIONS: readonly string[] = Object.keys(LABELS);

/** Label of an action: `parcel.add` is "Parcel added". */
export const actionWords = (action: string): string => ownValue(LABELS, action) ?? statusLabel(action.replaceAll(/[.-]/g, ' '));

/** Label of a field without its unit: `creditLimitCents` is "Credit limit". */
export function fieldWords(field: string): string {
  const [last = field] = field.split('.').slice(-1);
  const words = last.replace(/(Cents|Bps|At)$/, '').replaceAll(/([A-Z])/g, ' $1');
  return statusLabel(words === '' ? last : words);
}
