import { readUrl } from '../../../src/domain/urls';
import { checkWebhookUrl, isPublicAddress, WEBHOOK_URL_ISSUES, type WebhookUrlIssue } from '../../../src/security/public-address';

const NOT_PUBLIC: Record<string, string[]> = {
  'loopback and unspecified': ['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '::', '::1'],
  'private use': ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fd12:3456:789a::1'],
  'link-local and site-local': ['169.254.0.1', 'fe80::1', 'febf::1', 'fec0::1', 'feff::1'],
  "shared between a carrier's customers": ['100.64.0.1', '100.127.255.255'],
  'cloud metadata': [
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd20:ce::254',
  ],
  'multicast and broadcast': ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved, documentation, benchmarks': [
    '192.0.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '198.19.255.255',
    '240.0.0.1',
    '192.88.99.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '5f00::1',
    '3ffe::1',
    '4000::1',
    '1::1',
    '8000::1',
  ],
  'IPv6 that carries IPv4': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '::7f00:1',
    '::8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::127.0.0.1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2002:808:808::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2606:4700::5efe:127.0.0.1',
    '2606:4700::200:5efe:a9fe:a9fe',
  ],
  'in an unusual notation': [
    '0177.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '127.1',
    '08.8.8.8',
    '0x8.8.8.8',
    '134744072',
    '8.8.8.8 ',
    ' 8.8.8.8',
    '8.8.8.8\0',
    '8.8.8',
    '8.8.8.8.8',
    '８.8.8.8',
    '[2606:4700::1111]',
    '2606:4700::1111%eth0',
    'fe80::1%1',
    '8.8.8.8/32',
    '8.8.8.8:443',
    '',
    'localhost',
    'example.com',
  ],
};

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '9.255.255.255',
  '11.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '223.255.255.255',
  '198.17.255.255',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2a00:1450:4001:81b::200e',
  '2400:cb00::1',
  '2606:4700::1:5efe',
];

describe('isPublicAddress', () => {
  describe.each(Object.entries(NOT_PUBLIC))('refuses %s', (_title, addresses) => {
    it.each(addresses)('%j', (address) => expect(isPublicAddress(address)).toBe(false));
  });

  it.each(PUBLIC)('accepts %s', (address) => expect(isPublicAddress(address)).toBe(true));
});

const REFUSED: Partial<Record<WebhookUrlIssue, string[]>> = {
  too_long: [`https://hooks.example.com/${'a'.repeat(2000)}`, `https://hooks.example.com/${'é'.repeat(400)}`],
  not_a_url: [
    '',
    'hooks.example.com',
    '//hooks.example.com/',
    'https:hooks.example.com',
    'https:/hooks.example.com',
    'https:///hooks.example.com',
    'https://',
    'https://?x',
    'https://a..256.256.256.256/',
    'https://[::1',
    'https://hooks.example.com:99999/',
    'https://1.2.3.4.5/',
    'https://ex%00ample.com/',
    'https://a%2fb.example.com/',
    'javascript:alert(1)',
    'data:text/plain,x',
  ],
  bad_characters: [
    ' https://hooks.example.com/',
    'https://hooks.example.com/ ',
    'https://hooks.example.com/a b',
    'https://hooks.exam\tple.com/',
    'https://hooks.example.com/\n',
    'https://hooks.example.com/\0',
    'https://hooks.example.com\\@127.0.0.1/',
    'https:\\\\127.0.0.1\\',
    'https://127.0.0.1\\.example.com/',
    'https://loc\u00adalhost/',
    'https://hooks.example.com/\u202e',
    'https://hooks\u200b.example.com/',
    'https://hooks.example.com/\u00a0',
    'https://hooks.example.com/\ud800',
    '\ufeffhttps://hooks.example.com/',
  ],
  has_credentials: [
    'https://user:secret@hooks.example.com/',
    'https://user@hooks.example.com/',
    'https://@hooks.example.com/',
    'https://:@hooks.example.com/',
    'https://hooks.example.com@127.0.0.1/',
    'https://hooks.example.com:443@127.0.0.1/',
    'https://a@b@hooks.example.com/',
  ],
  has_fragment: [
    'https://hooks.example.com/#',
    'https://hooks.example.com/#part',
    'https://hooks.example.com#@127.0.0.1/',
    'https://hooks.example.com/?a#b',
  ],
  not_https: [
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'ws://hooks.example.com/',
    'file://hooks.example.com/etc/passwd',
    'gopher://hooks.example.com/',
    'blob://x/',
  ],
  bad_port: [
    'https://hooks.example.com:80/',
    'https://hooks.example.com:8443/',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:0/',
  ],
  ip_address: [
    'https://127.0.0.1/',
    'https://8.8.8.8/',
    'https://127.1/',
    'https://127.0.1/',
    'https://0/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://0x7f.0x0.0x0.0x1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[2606:4700:4700::1111]/',
    'https://①②⑦.0.0.1/',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://127．0．0．1/',
    'https://127｡0｡0｡1/',
    'https://%31%32%37.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://2852039166/',
    'https://0xA9FEA9FE/',
  ],
  underscore: ['https://my_shop.com/', 'https://hooks.my_shop.com/', 'https://_.com/'],
  not_a_public_name: [
    'https://hooks.example.c_m/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://ⓛocalhost/',
    'https://ｌｏｃａｌｈｏｓｔ/',
    'https://app.localhost/',
    'https://localhost.localdomain/',
    'https://postgres/',
    'https://intranet/',
    'https://com/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://vault.INTERNAL/',
    'https://db.corp/',
    'https://nas.lan/',
    'https://router.home/',
    'https://router.home.arpa/',
    'https://1.0.0.127.in-addr.arpa/',
    'https://expyuzz4wqqyqhjn.onion/',
    'https://wiki.intranet/',
    'https://hooks.example.com./',
    'https://hooks.example.com../',
    'https://hooks..example.com/',
    'https://.example.com/',
    'https://-hooks.example.com/',
    'https://hooks.example.com。/',
    `https://${'a'.repeat(64)}.example.com/`,
    `https://${'abcdefgh.'.repeat(30)}example.com/`,
    'https://*.example.com/',
  ],
};

const ACCEPTED: [string, string][] = [
  ['https://hooks_1.example.com/', 'https://hooks_1.example.com/'],
  ['https://_hooks.my_shop.example.com/', 'https://_hooks.my_shop.example.com/'],
  ['https://hooks.example.com', 'https://hooks.example.com/'],
  ['https://hooks.example.com/orders?shop=7&x=%20', 'https://hooks.example.com/orders?shop=7&x=%20'],
  ['https://hooks.example.com:443/', 'https://hooks.example.com/'],
  ['HTTPS://HOOKS.Example.COM/Path', 'https://hooks.example.com/Path'],
  ['https://münchen-rahmen.de/haken', 'https://xn--mnchen-rahmen-wob.de/haken'],
  ['https://xn--bcher-kva.example.org/', 'https://xn--bcher-kva.example.org/'],
  ['https://額縁.jp/受信', 'https://xn--8h0an25c.jp/%E5%8F%97%E4%BF%A1'],
  ['https://hooks.example.xn--p1ai/', 'https://hooks.example.xn--p1ai/'],
  ['https://1.hooks.example.com/', 'https://1.hooks.example.com/'],
  ['https://0x7f.example.com/', 'https://0x7f.example.com/'],
  ['https://127.0.0.1.nip.io/', 'https://127.0.0.1.nip.io/'], // valid as a name; its address is refused later
  ['https://local.example.com/', 'https://local.example.com/'],
  ['https://mylocalhost.com/', 'https://mylocalhost.com/'],
  ['https://hooks.example.com/a@b', 'https://hooks.example.com/a@b'],
  ['https://hooks.example.com/..//x', 'https://hooks.example.com//x'],
];

describe('checkWebhookUrl', () => {
  const checkUrl = (text: string, allowedOrigins: string[] = []) => checkWebhookUrl(text, { allowedOrigins });

  describe.each(Object.entries(REFUSED))('refuses as %s', (reason, urls) => {
    it.each(urls)('%j', (url) => expect(checkUrl(url)).toEqual({ ok: false, reason }));
  });

  it('refuses an invalid punycode name on Node 20, 22 and 24', () => {
    expect(checkUrl('https://xn--a/')).toEqual({
      ok: false,
      reason: readUrl('https://xn--a/') !== null ? 'not_a_public_name' : 'not_a_url',
    });
  });

  it.each(ACCEPTED)('accepts %j', (text, href) => {
    expect(checkUrl(text)).toEqual({ ok: true, isAllowedOrigin: false, url: new URL(href) });
  });

  it('accepts 2000 characters', () => {
    const url = 'https://hooks.example.com/';
    expect(checkUrl(url.padEnd(2000, 'a')).ok).toBe(true);
    expect(checkUrl(url.padEnd(2001, 'a')).ok).toBe(false);
  });

  it('describes every refusal', () => {
    expect(Object.keys(REFUSED).sort()).toEqual(Object.keys(WEBHOOK_URL_ISSUES).sort());
  });

  describe('with allowed origins', () => {
    const allowed = ['http://127.0.0.1:9000', 'https://[::1]:8443'];

    it.each(['http://127.0.0.1:9000', 'http://127.0.0.1:9000/hook?x=1', 'https://[::1]:8443/'])('exempts %s', (url) => {
      expect(checkUrl(url, allowed)).toMatchObject({ ok: true, isAllowedOrigin: true });
    });

    it.each(['http://127.0.0.1:9001/', 'https://127.0.0.1:9000/', 'http://localhost:9000/', 'http://127.0.0.1/', 'https://[::1]/'])(
      'does not exempt %s',
      (url) => {
        expect(checkUrl(url, allowed).ok).toBe(false);
      },
    );

    it.each([
      ['has_credentials', 'http://127.0.0.1:9000@10.0.0.1/'],
      ['has_credentials', 'http://u@127.0.0.1:9000/'],
      ['has_fragment', 'http://127.0.0.1:9000/#x'],
      ['bad_characters', 'http://127.0.0.1:9000\\@10.0.0.1/'],
    ])('still refuses as %s: %s', (reason, url) => {
      expect(checkUrl(url, allowed)).toEqual({ ok: false, reason });
    });

    it('checks public URLs as usual', () => {
      expect(checkUrl('https://hooks.example.com/', allowed)).toMatchObject({ ok: true, isAllowedOrigin: false });
    });
  });
});
