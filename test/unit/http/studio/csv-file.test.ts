import { readCsvFile } from '../../../../src/http/studio/support/csv-file';

const read = (text: string) =>
  readCsvFile(Buffer.from(text), (headings) => (headings.map((heading) => heading.trim()).includes('Item') ? headings : null));
const cellsOf = (text: string): unknown => {
  const file = read(text);
  return file !== null && 'rows' in file ? file.rows.map(({ cells }) => cells) : file;
};

describe('a CSV file', () => {
  it.each<[string, string, string[][]]>([
    [
      'inches in unquoted cells',
      'Item\tNo\nCanvas 24" x 36"\tAP1\n24"\tAP2\n',
      [
        ['Canvas 24" x 36"', 'AP1'],
        ['24"', 'AP2'],
      ],
    ],
    [
      'quotes that are not doubled',
      'Item,No\n"Canvas 24" x 36",AP1\n"Big" print,AP2\n',
      [
        ['"Canvas 24" x 36"', 'AP1'],
        ['"Big" print', 'AP2'],
      ],
    ],
    [
      'cells as formulas',
      'Item,No\nx,="393"\n"=""x""","=""394"""\n',
      [
        ['x', '="393"'],
        ['="x"', '="394"'],
      ],
    ],
    [
      'separators, line breaks and doubled quotes in quotes',
      'Item,No\r\n" x, ""y""\r\nz;","AP1"\r\n"""a""",""\r\n',
      [
        [' x, "y"\r\nz;', 'AP1'],
        ['"a"', ''],
      ],
    ],
    ['spaces after the separators', 'Item; No\n"x"; "AP1; a"\n', [['x', 'AP1; a']]],
    [
      'empty cells between tabs',
      'Item\tNo\tNote\n\tAP1\t\n\t\tx\n',
      [
        ['', 'AP1', ''],
        ['', '', 'x'],
      ],
    ],
    [
      'separators at the end of rows',
      'Item,No,\nx,AP1,\ny,AP2,,,\n',
      [
        ['x', 'AP1', ''],
        ['y', 'AP2', '', '', ''],
      ],
    ],
    ['quotes around headings, and CR', '"Item";"No"\r"x";"AP1"\r', [['x', 'AP1']]],
    ['mixed quotes', '"Item";No\n"x";AP1\n', [['x', 'AP1']]],
    ['a byte order mark and quotes', '\ufeff"Item","No"\nx,AP1\n', [['x', 'AP1']]],
    ['the separator before CR', 'sep=;\rItem;No\rx;AP1', [['x', 'AP1']]],
    ['the separator in quotes, after a byte order mark', '\ufeff"sep=|"\r\nItem|No\r\nx|AP1', [['x', 'AP1']]],
    ['rows without text', '\n;;\nItem;No\n\nx;AP1\n;\n \n\u00a0;\n\r\n\u001a', [['x', 'AP1']]],
    [
      'a total',
      'Item;No\nx;AP1\n\nTotal;1\n',
      [
        ['x', 'AP1'],
        ['Total', '1'],
      ],
    ],
  ])('is read with %s', (_what, text, cells) => {
    expect(cellsOf(text)).toEqual(cells);
  });

  it('has the row numbers of a spreadsheet', () => {
    expect(read('sep=;\n\nItem;No\n"x\ny";1\n\nz;2\n')).toMatchObject({ rows: [{ row: 3 }, { row: 5 }] });
  });

  it('names the row with an open quote', () => {
    for (const separator of [',', ';', '\t'])
      expect(cellsOf(`Item,No\nx,AP1\n"y,AP2\nz,AP3\n`.replaceAll(',', separator))).toEqual({ issue: expect.stringContaining('row 3') });
  });

  it('without the headings is none', () => {
    for (const text of ['', '\n', 'a,b\nx,AP1\n', 'a,b\n"x,AP1\n', 'PK\u0003\u0004"\u0000']) expect(read(text)).toBeNull();
  });

  it.each(['\n', 'x\n', '"x\n', '"x"y\n'])('of one mebibyte with rows of %j is refused in time', (row) => {
    expect(cellsOf(`Item,No\n${row.repeat((1024 * 1024) / row.length)}`)).toEqual({ issue: expect.stringContaining('10000 rows') });
  });
});
