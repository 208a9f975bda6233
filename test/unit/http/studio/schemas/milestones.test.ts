import { milestoneRequest } from '../../../../../src/http/studio/milestones';
import { studioPaths } from '../../schemas/paths';

describe('the body of POST /orders/{id}/milestones', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['nothing', {}, ['milestoneId', 'type']],
    ['an empty id', { milestoneId: '', type: 'printed' }, ['milestoneId']],
    ['an id of 201 characters', { milestoneId: 'x'.repeat(201), type: 'printed' }, ['milestoneId']],
    ['an id that cannot be in a URL', { milestoneId: '..', type: 'printed' }, ['milestoneId']],
    ['an id with U+0000', { milestoneId: 'a\u0000', type: 'printed' }, ['milestoneId']],
    ['an unknown type', { milestoneId: 'a', type: 'exploded' }, ['type']],
    ['a parcel as a milestone', { milestoneId: 'a', type: 'parcel_added' }, ['type']],
    ['a note of 2001 characters', { milestoneId: 'a', type: 'held', note: 'x'.repeat(2001) }, ['note']],
    ['a day that does not exist', { milestoneId: 'a', type: 'held', occurredAt: '2026-02-30T10:00:00Z' }, ['occurredAt']],
    ['a time without its zone', { milestoneId: 'a', type: 'held', occurredAt: '2026-02-20T10:00:00' }, ['occurredAt']],
    ['year 0', { milestoneId: 'a', type: 'held', occurredAt: '0000-01-01T10:00:00Z' }, ['occurredAt']],
    ['the id of a parcel', { milestoneId: 'parcel:box-1', type: 'held' }, ['milestoneId']],
    ['the id of a voided label', { milestoneId: 'parcel-void:box-1', type: 'held' }, ['milestoneId']],
    ['the id of a payment', { milestoneId: 'payment:1', type: 'held' }, ['milestoneId']],
    ['the id of a reversal', { milestoneId: 'payment-reversal:1', type: 'held' }, ['milestoneId']],
    ["the id of an account's cancel", { milestoneId: 'cancel:req_1', type: 'cancelled' }, ['milestoneId']],
  ])('%s is refused', (_title, body, paths) => {
    expect(studioPaths(milestoneRequest, body)).toEqual(paths);
  });

  it('an id with a colon is accepted', () => {
    expect(studioPaths(milestoneRequest, { milestoneId: 'press-2:17', type: 'held' })).toEqual([]);
  });
});
