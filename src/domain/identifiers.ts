import { LIMITS } from './limits';

export type IdPrefix =
  | 'quo'
  | 'ord'
  | 'upl'
  | 'evt'
  | 'acc'
  | 'key'
  | 'tok'
  | 'bdg'
  | 'inv'
  | 'crn'
  | 'apy'
  | 'ref'
  | 'idm'
  | 'whe'
  | 'dlv'
  | 'req'
  | 'upd'
  | 'ses'
  | 'chg'
  | 'msg'
  | 'con'
  | 'snd'
  | 'run';

/**
 * True for `<prefix>_` and lowercase hex digits, at most 64 characters in total. Ids in another form are 404, because the service creates
 * only this form.
 */
export function isIdentifier(prefix: IdPrefix, text: string): boolean {
  return text.length <= LIMITS.identifierLength && text.startsWith(`${prefix}_`) && /^[0-9a-f]+$/.test(text.slice(prefix.length + 1));
}
