type Action = Readonly<{ reason: string | null }>;
// The console has its own build settings, with modules for browsers only.
const SCREEN = '../../../packages/console/src/screens/order';
const { usualNextAction, unavailableReason } = require(`${SCREEN}/next`) as {
  usualNextAction: (order: object, stages: readonly string[]) => string | null;
  unavailableReason: (order: object, action: Action) => string;
};
const { consequences } = require(`${SCREEN}/actions/consequences`) as {
  consequences: (order: object, type: string, isOffice: boolean) => string[];
};

const { describeLineCounts, displayStatus } = require('../../../packages/console/src/shared/progress') as {
  describeLineCounts: (counts: readonly number[]) => string;
  displayStatus: (order: object) => string;
};
const { cancelInWords, changeInWords, sendInWords } = require(`${SCREEN}/words`) as {
  cancelInWords: (order: object, isOffice: boolean) => string;
  changeInWords: (change: object | null) => string[];
  sendInWords: (state: string) => string;
};

/** An order of two pieces, some of which are in a parcel. */
const anOrder = (status: string, packed: number) => ({
  orderNumber: 'P-10001',
  status,
  baseStatus: 'received',
  facts: { printed: false, liveParcels: packed > 0 ? 1 : 0 },
  lines: [{ quantity: 2 }],
  shipments: packed > 0 ? [{ lines: [{ line: 0, quantity: packed }] }] : [],
});

describe('an order shipped before its production was recorded', () => {
  it('does not suggest starting production, which would have no visible effect', () => {
    expect(usualNextAction(anOrder('received', 0), [])).toBe('production_started');
    expect(usualNextAction(anOrder('shipped', 1), [])).toBe('parcel_added');
    expect(usualNextAction(anOrder('shipped', 2), [])).toBeNull();
  });

  it('stays shipped, and the confirmation says so', () => {
    expect(consequences(anOrder('shipped', 1), 'production_started', false)).toEqual(['The start is recorded. The order stays shipped.']);
    expect(consequences(anOrder('received', 0), 'production_started', false)).toEqual(['The order moves to production.']);
  });

  it('is not called received while its status is shipped', () => {
    const release = { reason: 'the order is not on hold, it is received' };
    expect(unavailableReason(anOrder('shipped', 1), release)).toBe('the order is not on hold');
    expect(unavailableReason(anOrder('received', 0), release)).toBe('the order is not on hold, it is received');
  });
});

describe('the next step after printing', () => {
  const printed = (stage: string, stageLines: object, ...frames: boolean[]) => ({
    ...anOrder('in_production', 0),
    baseStatus: 'in_production',
    facts: { printed: true, liveParcels: 0 },
    stage,
    stageLines: { printed: [0, 1], framed: [], checked: [], ready: [], ...stageLines },
    job: { lines: frames.map((hasFrame) => ({ hasFrame })) },
  });
  const ALL = ['framed', 'checked', 'ready'];

  it.each<[string, object, readonly string[], string]>([
    ['no stages', printed('printed', {}, true, true), [], 'parcel_added'],
    ['the first used stage', printed('printed', {}, true, true), ALL, 'framed'],
    ['a stage of which a line is left', printed('printed', { framed: [1] }, true, true), ALL, 'framed'],
    ['no framing without frames', printed('printed', {}, false, false), ALL, 'checked'],
    ['only used stages', printed('framed', { framed: [0] }, true, false), ['framed', 'ready'], 'ready'],
    ['no stage before the last complete one', printed('ready', { ready: [0, 1] }, true, true), ALL, 'parcel_added'],
  ])('%s', (_title, order, stages, next) => {
    expect(usualNextAction(order, stages)).toBe(next);
  });
});

describe('the status on the screens', () => {
  it('is partly shipped until all pieces are in a parcel', () => {
    expect([0, 1, 2].map((packed) => displayStatus(anOrder(packed > 0 ? 'shipped' : 'received', packed)))).toEqual([
      'received',
      'part_shipped',
      'shipped',
    ]);
  });

  it('stays shipped with unknown contents, and after a cancellation', () => {
    expect(displayStatus({ ...anOrder('shipped', 1), shipments: [{ lines: null }] })).toBe('shipped');
    expect(displayStatus({ ...anOrder('shipped', 1), baseStatus: 'cancelled' })).toBe('shipped');
    expect(displayStatus({ ...anOrder('shipped', 1), baseStatus: 'completed' })).toBe('completed');
  });

  it('is followed by the pieces of each line, counted from 1', () => {
    expect(describeLineCounts([2, 0, 1])).toBe('2 × line 1, 1 × line 3');
  });
});

describe('a change by the client', () => {
  const address = {
    name: 'Ada',
    line1: '1 Road',
    line2: null,
    city: 'Perth',
    state: 'WA',
    postcode: '6000',
    country: 'AU',
    email: 'a@b.c',
  };

  it('shows the values before and after, and numbers lines from 1', () => {
    const before = {
      shippingAddress: address,
      reference: 'PO-1',
      lines: [{ line: 1, externalReference: 'old' }],
      specialInstructions: null,
    };
    const after = {
      shippingAddress: { ...address, line2: 'Flat 7' },
      reference: 'PO-2',
      lines: [{ line: 1, externalReference: null }],
      specialInstructions: 'ring',
    };
    expect(changeInWords({ before, after })).toEqual([
      'Address: Ada, 1 Road, Perth WA 6000, a@b.c → Ada, 1 Road, Flat 7, Perth WA 6000, a@b.c',
      'Client reference: PO-1 → PO-2',
      'Reference of line 2: old → none',
      'Special instructions: none → ring',
    ]);
  });

  it('shows only the sent fields, and is empty for other entries', () => {
    expect(changeInWords(null)).toEqual([]);
    expect(changeInWords({ before: { specialInstructions: 'ring' }, after: { specialInstructions: null } })).toEqual([
      'Special instructions: ring → none',
    ]);
  });
});

describe("the client's ability to cancel", () => {
  const words = (blockers: readonly string[], isOffice: boolean): string =>
    cancelInWords({ remakeOf: null, cancellable: { now: blockers.length === 0, blockers } }, isOffice);

  it('is shown to the floor without amounts', () => {
    expect(words(['printed', 'money'], true)).toBe('No: printed, payment recorded');
    expect(words(['printed', 'money'], false)).toBe('No: printed');
    expect(words(['money'], false)).toBe('No: ask the office');
    expect(words([], false)).toBe('Yes');
  });
});

describe('a mail with a document in the timeline', () => {
  it.each([
    ['sent', 'Document sent'],
    ['pending', 'Document waits for the mail server'],
    ['refused', 'Document not sent'],
    ['skipped', 'Document not sent'],
  ])('that is %s is called "%s"', (state, words) => {
    expect(sendInWords(state)).toBe(words);
  });
});
