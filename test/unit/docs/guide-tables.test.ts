import { readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/start/project';
import { ERROR_STATUS } from '../../../src/domain/errors';
import { LIMITS } from '../../../src/domain/limits';
import { MILESTONE_TYPES } from '../../../src/domain/order-messages';
import { ORDER_STATUSES } from '../../../src/domain/order-status';
import { ORDERABLE_PRODUCTS } from '../../../src/domain/products';
import { tradeDocument } from '../../../src/http/openapi/trade';
import { readPage } from './markdown';
import { refusalsOf } from './openapi';
import { readGuide } from './snippets';

/** The link target in the guides. */
const CLIENT_README = path.posix.relative('docs/guides', 'packages/client/README.md');
const CHANGELOG = path.posix.relative('docs/guides', 'CHANGELOG.md');

const FOLDER = path.join(projectRoot, 'docs', 'guides');
const GUIDES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .toSorted();
const ERRORS_PAGE = readPage('docs/guides/errors.md');

it('every code of the trade API is in the errors guide with its status and a remedy', () => {
  const told = ERRORS_PAGE.table('What to do');
  const ofTrade = ['METHOD_NOT_ALLOWED', ...refusalsOf(tradeDocument()).keys()];
  expect(told.map(([code, status]) => [code, Number(status)]).toSorted()).toEqual(
    Object.entries(ERROR_STATUS)
      .filter(([code]) => ofTrade.includes(code))
      .toSorted(),
  );
  expect(told.filter(([, , todo = '']) => todo === '')).toEqual([]);
});

it('the errors guide has the limits of requests and sizes', () => {
  const text = ERRORS_PAGE.text.replace(/\s+/g, ' ');
  expect(text).toContain(`An address has ${LIMITS.authenticationFailuresPerMinute} failed authentications a minute`);
  const sizes = Object.fromEntries(ERRORS_PAGE.table('Limits').map(([size = '', limit = '']) => [size, limit.match(/^\d+/)?.[0]]));
  expect(sizes).toEqual({
    'Artwork file': String(LIMITS.uploadBytes),
    'Uploads declared without bytes': String(LIMITS.openTargetsPerAccount),
    'Body of a quote': String(LIMITS.bodyBytes),
    'Body of an order': String(LIMITS.orderBodyBytes),
    'Body of an upload': String(LIMITS.uploadBodyBytes),
    'Body of POST /prices': String(LIMITS.pricesBodyBytes),
  });
});

describe('the products of the quoting guide', () => {
  const GUIDE = readPage('docs/guides/quoting.md');
  const TITLE = 'What each product takes';

  it.each([...ORDERABLE_PRODUCTS])('%s: its keys, and a basket that gets a quote', (slug, { keys }) => {
    const column = GUIDE.tableHead(TITLE).indexOf(slug);
    const listed = GUIDE.table(TITLE).flatMap((row) => (row[column] === '' ? [] : (row[0] ?? '').split(', ')));
    expect(listed.toSorted()).toEqual([...keys].toSorted());
    expect(GUIDE.text).toContain(`\nprice ${slug} '{`);
  });

  it('include every orderable product', () => {
    expect(GUIDE.tableHead(TITLE).slice(1, -1)).toEqual([...ORDERABLE_PRODUCTS.keys()]);
  });
});

it('the guide to following orders lists exactly the existing statuses', () => {
  const told = readPage('docs/guides/following.md').table('Statuses');
  expect(told.map(([status]) => status)).toEqual(ORDER_STATUSES);
});

it('the guide for floor systems names every milestone', () => {
  const page = readGuide('docs/guides/floor-systems.md');
  for (const type of MILESTONE_TYPES) expect(page).toContain(`\`${type}\``);
});

describe('the guides that the service shows', () => {
  const pages = GUIDES.map((name) => [name, readPage(`docs/guides/${name}`)] as const);

  it('are all in the contents', () => {
    const contents = readGuide('docs/guides/README.md');
    expect(GUIDES.filter((name) => name !== 'README.md' && !contents.includes(`](${name})`))).toEqual([]);
  });

  it.each(pages)('%s starts with its title', (_name, { text }) => {
    expect(text).toMatch(/^# \S/);
  });

  it.each(pages)(
    '%s links only to guides, the reference, the client package, the changelog, the Postman collection and the test vectors',
    (name, { text }) => {
      const links = [...text.matchAll(/\]\((?!https?:|#|\/docs\)|\/postman\.json\))([^)#]+)[^)]*\)/g)].map(([, file = '']) =>
        path.join(path.dirname(name), file),
      );
      expect(links.filter((file) => ![...GUIDES, 'webhook-vectors.json', CLIENT_README, CHANGELOG].includes(file))).toEqual([]);
    },
  );
});
