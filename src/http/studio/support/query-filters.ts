import { ATTENTION_ABOUT } from '../../../domain/attention';
import { ENVIRONMENTS, LIMITS } from '../../../domain/limits';
import { oneOfField, textField, textLike } from '../../schemas/text';
import { dayField, dayOrTimestamp } from './fields';

/** As it is told; the handler says what would do. */
export const idLike = (prefix: string, what: string) =>
  textLike(
    new RegExp(`^${prefix}_[0-9a-f]{1,${LIMITS.identifierLength - prefix.length - 1}}$`),
    `the id of ${what}, such as ${prefix}_0123abcd`,
  );

export const searchText = () => textField(1, 200);

export const environmentField = oneOfField(ENVIRONMENTS).description('live unless said otherwise');

/** Of what has been listed of both all along. */
export const eitherEnvironmentField = oneOfField(ENVIRONMENTS).description('of both unless said otherwise');

export const accountIdField = idLike('acc', 'an account');

export const FROM_TO = {
  from: dayOrTimestamp().description("of that time or later; a day is the studio's, and included"),
  to: dayOrTimestamp().description("of earlier than that time; a day is the studio's, and included"),
} as const;

/** `newest` is what every list has that goes by age; where it was called `createdAt` that is taken too. */
export const FORMERLY = 'createdAt';

export const aboutField = oneOfField(ATTENTION_ABOUT).description('only what is about the work, or only what is about money');

export const AGE_SORTS = ['newest', 'oldest'] as const;

/** Of the lists of one account. */
export const OF_ACCOUNT_FILTERS = { environment: eitherEnvironmentField } as const;

/** Of money: days of the studio's calendar, both included. */
export const PERIOD = {
  from: dayField().description("a day of the studio's calendar, included"),
  to: dayField().description('the same, included too'),
};
