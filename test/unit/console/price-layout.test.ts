const layoutModule = import('../../../packages/console/src/screens/prices/layout.js');

describe('the values of a price book on the screens of the console', () => {
  it.each<[string, unknown, Record<string, unknown>]>([
    [
      'names entries of a list by their id or zone',
      [
        { id: 'rag', cents: 5 },
        { zoneId: 'metro', cents: 7 },
      ],
      { 'rag.cents': 5, 'metro.cents': 7 },
    ],
    ['numbers other entries', { ladder: [{ minQuantity: 2 }] }, { 'ladder.0.minQuantity': 2 }],
    [
      'keeps a list of plain values or ranges as one value',
      { codes: ['A4'], postcodes: [{ from: '1', to: '2' }] },
      { codes: ['A4'], postcodes: [{ from: '1', to: '2' }] },
    ],
    ['keeps null and empty objects', { rate: null, classes: {} }, { rate: null, classes: {} }],
  ])('%s', async (_title, book, values) => {
    const { leavesOf } = await layoutModule;
    const found = Object.fromEntries(leavesOf(book).map(({ path, value }) => [path.join('.'), value]));
    expect(found).toMatchObject(values);
    expect(Object.keys(found).filter((path) => !/(^|\.)(id|zoneId)$/.test(path))).toEqual(Object.keys(values));
  });

  it('shows entries with few values as a table, and others as sections', async () => {
    const { layOut } = await layoutModule;
    const flat = layOut({ currency: 'AUD', rag: { cents: 5, min: { cents: 2 } }, gloss: { cents: 6 } });
    expect(flat.values).toEqual([{ path: ['currency'], value: 'AUD' }]);
    expect(flat.table?.map(({ key, leaves }) => [key, leaves.map(({ path }) => path.join('.'))])).toEqual([
      ['rag', ['cents', 'min.cents']],
      ['gloss', ['cents']],
    ]);
    const deep = layOut({ one: { two: { three: { cents: 1 } } }, other: { cents: 2 } });
    expect([deep.table, deep.sections.map(({ key }) => key)]).toEqual([null, ['one', 'other']]);
  });
});
