import { SEARCH_PARAMS } from '../../../packages/console/src/shared/search-params';
import { createAttentionMail } from '../../../src/mail/open-attention';
import { createTroubleMails } from '../../../src/mail/webhook-trouble';

const studioUrl = 'https://studio.example';
const mails = [
  createAttentionMail({
    summaries: [{ code: 'ARTWORK_MISSING', open: 1, orders: 1, oldest: new Date(0), orderNumbers: ['P-10001'] }],
    holidaysUntil: '2026-12-31',
    studioDay: { timeZone: 'UTC', today: '2026-10-01' },
    to: 'studio@studio.example',
    studioUrl,
  }),
  ...createTroubleMails({
    id: 'x',
    endpoint: { id: 'whe_1', url: 'https://shop.example/hooks', state: 'enabled' },
    account: { id: 'acc_1', name: 'Gallery North', email: 'gallery@example.com' },
    failures: 3,
    lastAnswer: 'timeout',
    studioMail: 'studio@studio.example',
    publicBaseUrl: 'https://api.example/v1',
    studioUrl,
  }),
];
const links = mails.flatMap(({ text }) => text.match(/https:\/\/studio\.example\S*/g) ?? []);

it.each(links)('%s in a mail opens a screen that knows its parameters', (link) => {
  const { pathname, searchParams } = new URL(link);
  const screens = Object.entries(SEARCH_PARAMS).filter(([path]) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`).test(pathname));
  expect(screens).toHaveLength(1);
  expect(screens[0]?.[1]).toEqual(expect.arrayContaining([...searchParams.keys()]));
});

it('mails to the studio have links', () => {
  expect(links).toHaveLength(5);
});
