import { accountChange, accountRequest } from '../../../../../src/http/studio/accounts/accounts';
import { studioPaths } from '../../schemas/paths';

const FIELDS: [string, Record<string, unknown>, string[]][] = [
  ['an invalid e-mail address', { email: 'gallery' }, ['email']],
  ['a discount above 100 %', { tradeDiscountBps: 10_001 }, ['tradeDiscountBps']],
  ['a credit limit below 0', { creditLimitCents: -1 }, ['creditLimitCents']],
  ['terms of more than a year', { paymentTermsDays: 366 }, ['paymentTermsDays']],
  ['an unknown status', { status: 'closed' }, ['status']],
  ['access as text', { apiAccess: 'yes' }, ['apiAccess']],
];

describe('the bodies of POST /accounts and PATCH /accounts/{id}', () => {
  it.each(FIELDS)('%s is refused in both', (_title, fields, paths) => {
    expect(studioPaths(accountRequest, { name: 'A', email: 'a@example.com', ...fields })).toEqual(paths);
    expect(studioPaths(accountChange, fields)).toEqual(paths);
  });
  it('a new account requires a name and an e-mail address, and a change at least one field', () => {
    expect(studioPaths(accountRequest, {})).toEqual(['name', 'email']);
    expect(studioPaths(accountChange, {})).toEqual(['']);
    expect(studioPaths(accountChange, { nmae: 'x' })).toEqual(['nmae']);
  });
});
