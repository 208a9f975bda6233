import { ATTENTION_ABOUT, ATTENTION_CODES } from '../../../domain/attention';
import { ACCOUNT_STATUSES, ENVIRONMENTS, LIMITS } from '../../../domain/limits';
import { INVOICE_STATES } from '../../../domain/ledger';
import { ORDER_STATUSES } from '../../../domain/order-status';
import { DELIVERY_STATES } from '../../../domain/webhook-rules';
import { integer, oneOf, text } from '../../schemas/text';
import { day, dayOrTimestamp, textLike } from './fields';

/** As it is told; the handler says what would do. */
const idLike = (prefix: string, what: string) =>
  textLike(
    new RegExp(`^${prefix}_[0-9a-f]{1,${LIMITS.identifierLength - prefix.length - 1}}$`),
    `the id of ${what}, such as ${prefix}_0123abcd`,
  );

const searchText = () => text(1, 200);
const environment = oneOf(ENVIRONMENTS).description('live unless said otherwise');
/** Of what has been listed of both all along. */
const eitherEnvironment = oneOf(ENVIRONMENTS).description('of both unless said otherwise');
const accountId = idLike('acc', 'an account');
const FROM_TO = {
  from: dayOrTimestamp().description("of that time or later; a day is the studio's, and included"),
  to: dayOrTimestamp().description("of earlier than that time; a day is the studio's, and included"),
} as const;

/** `newest` is what every list has that goes by age; where it was called `createdAt` that is taken too. */
const FORMERLY = 'createdAt';

export const ORDER_SORTS = ['newest', 'oldest', 'dueDate'] as const;
export const ORDER_FILTERS = {
  environment,
  status: oneOf(ORDER_STATUSES),
  accountId,
  attention: oneOf(['any', ...ATTENTION_ABOUT, ...ATTENTION_CODES]).description(
    'what is open of it; `any`: something is; `work`: something about the work, `money`: about money',
  ),
  ...FROM_TO,
  dueFrom: day().description('still to be shipped, and due that day or later'),
  dueBefore: day().description('still to be shipped, and due earlier than that day'),
  late: oneOf(['true']).description('still to be shipped, and due earlier than today, where the studio is'),
  partShipped: oneOf(['true']).description('shipped and not completed, but pieces of it are in no parcel yet'),
  q: searchText().description(
    'part of an order or invoice number, recipient, account, e-mail address, external reference or tracking number; or a whole id',
  ),
  sort: oneOf([...ORDER_SORTS, FORMERLY]).description(
    '`newest` first unless said otherwise, also as `createdAt`; `oldest` first; `dueDate`: those still to be shipped, the soonest due first',
  ),
} as const;

const about = oneOf(ATTENTION_ABOUT).description('only what is about the work, or only what is about money');

export const ORDER_COUNT_FILTERS = { environment, about } as const;
export const COUNT_FILTERS = { environment } as const;

export const AGE_SORTS = ['newest', 'oldest'] as const;
export const ATTENTION_FILTERS = {
  environment,
  code: oneOf(ATTENTION_CODES),
  about,
  accountId,
  ...FROM_TO,
  sort: oneOf(AGE_SORTS).description('`oldest` first unless said otherwise'),
} as const;

export const INVOICE_SORTS = ['newest', 'oldest', 'dueDate', 'outstanding'] as const;
export const INVOICE_FILTERS = {
  environment,
  accountId,
  state: oneOf(INVOICE_STATES),
  overdue: oneOf(['true']).description('only those of which something is unpaid past its day'),
  from: day().description("a day of the studio's calendar, included"),
  to: day().description('the same, included too'),
  sort: oneOf(INVOICE_SORTS).description(
    '`newest` first unless said otherwise; `oldest` first; `dueDate`, the soonest first, and `outstanding`, the most first: the unpaid ones unless a state is named',
  ),
} as const;

export const DELIVERY_SORTS = ['newest', 'oldest', 'nextAttempt'] as const;

export const DELIVERY_FILTERS = {
  environment: eitherEnvironment,
  state: oneOf(DELIVERY_STATES),
  accountId,
  endpointId: idLike('whe', 'a webhook endpoint'),
  orderId: idLike('ord', 'an order'),
  errorCode: textLike(/^[a-z_]{1,40}$/, 'how an attempt ended, such as timeout').description('how the last attempt that failed ended'),
  ...FROM_TO,
  sort: oneOf(DELIVERY_SORTS).description(
    '`newest` first unless said otherwise; `oldest` first; `nextAttempt`: those that are still tried, the next attempt first',
  ),
} as const;

export const ACCOUNT_SORTS = ['newest', 'name', 'creditUsed'] as const;
export const ACCOUNT_FILTERS = {
  q: searchText().description('part of its name, e-mail address or id'),
  status: oneOf(ACCOUNT_STATUSES),
  creditUsedOver: integer(0, 1000).description('more than so many per cent of its limit is outstanding on live orders'),
  sort: oneOf([...ACCOUNT_SORTS, FORMERLY]).description(
    '`newest` first unless said otherwise, also as `createdAt`; by `name`; `creditUsed`: the largest share of a limit first, by live orders',
  ),
} as const;

export const AUDIT_FILTERS = {
  actor: text(1, 200).description('name or id of the token, or who else it was, as the entry says'),
  subject: text(1, 200).description("what it was done to, as the entry says; an order's number, or its invoice's, is the order"),
  action: text(1, 100).description('such as `account.change`'),
  ...FROM_TO,
  sort: oneOf(AGE_SORTS).description('`newest` first unless said otherwise'),
} as const;

export const ENDPOINT_FILTERS = {
  environment: eitherEnvironment,
  accountId,
  state: oneOf(['enabled', 'disabled']),
  failing: oneOf(['true']).description('disabled, or what is sent there does not arrive, or waits because it did not'),
} as const;

/** Of the lists of one account. */
export const OF_ACCOUNT_FILTERS = { environment: eitherEnvironment } as const;

/** Of a period that is counted. */
export const MAX_DAYS = 366;
export const STATS_PERIOD = {
  environment,
  from: day().description('the first day, where the studio is; thirty days before `to` unless said otherwise'),
  to: day().description('the last day; today unless said otherwise'),
} as const;
