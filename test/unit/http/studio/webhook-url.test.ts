import { acceptWebhookUrl } from '../../../../src/http/studio/support/webhook-url';
import { WEBHOOK_URL_ISSUES } from '../../../../src/security/public-address';

const ORIGIN = 'http://127.0.0.1:4000';
const RECEIVER = `${ORIGIN}/hooks`;
const rejectResolution = async () => {
  throw new Error('no name is resolved');
};

describe('the URL of a webhook endpoint', () => {
  it.each<[string, keyof typeof WEBHOOK_URL_ISSUES]>([
    ['hooks.example.com/orders', 'not_a_url'],
    ['https:///orders', 'not_a_url'],
    ['https://hooks.example.com/a b', 'bad_characters'],
    ['https://hooks.example.com\\@evil.example', 'bad_characters'],
    ['https://user:pw@hooks.example.com/', 'has_credentials'],
    ['https://hooks.example.com/#top', 'has_fragment'],
    ['http://hooks.example.com/', 'not_https'],
    ['ftp://hooks.example.com/', 'not_https'],
    ['https://hooks.example.com:8443/', 'bad_port'],
    ['https://93.184.216.34/', 'ip_address'],
    ['https://2130706433/', 'ip_address'],
    ['https://[::1]/', 'ip_address'],
    ['https://localhost/', 'not_a_public_name'],
    ['https://intranet/', 'not_a_public_name'],
    ['https://db.internal/', 'not_a_public_name'],
    ['https://hooks.example.com./', 'not_a_public_name'],
    ['http://127.0.0.1:1/hooks', 'not_https'],
  ])('%s is refused: %s', async (url, fault) => {
    const exception = fault === 'not_https' ? `, or have an origin in WEBHOOK_ALLOWED_ORIGINS (${ORIGIN})` : '';
    await expect(acceptWebhookUrl(url, { allowedOrigins: [ORIGIN], resolve: rejectResolution })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { paths: ['url'], issues: [{ path: 'url', message: WEBHOOK_URL_ISSUES[fault] + exception }] },
    });
  });
  it.each([[['127.0.0.1']], [['93.184.216.34', '10.0.0.7']], [['2606:2800:220:1::1', '::ffff:192.168.0.1']]])(
    'a name that resolves to %j is refused without showing an address',
    async (addresses) => {
      const accepted = acceptWebhookUrl('https://hooks.example.com/', { allowedOrigins: [], resolve: async () => addresses });
      await expect(accepted).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { paths: ['url'] },
        message: expect.stringContaining('resolves to a private address'),
      });
      await expect(accepted).rejects.not.toMatchObject({ message: expect.stringContaining(addresses.at(-1) ?? '') });
    },
  );
  it('a name with only public addresses is accepted, and an allowed origin is not resolved', async () => {
    const resolve = async () => ['93.184.216.34', '2606:2800:220:1::1'];
    expect(await acceptWebhookUrl('https://Hooks.Example.com', { allowedOrigins: [], resolve })).toBe('https://hooks.example.com/');
    expect(await acceptWebhookUrl(RECEIVER, { allowedOrigins: [ORIGIN], resolve: rejectResolution })).toBe(RECEIVER);
  });
});
