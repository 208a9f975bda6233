import { connect } from 'node:net';
import { startSilentReceiver, replyAndClose } from '../../service/webhooks/support/receiver';
import { createWebhookWorld, HOST, PUBLIC_ADDRESS, type WebhookWorld, type WebhookWorldInput } from '../../service/webhooks/support/world';

let world: WebhookWorld;

async function useWorld(sender: WebhookWorldInput['sender'] = {}): Promise<WebhookWorld> {
  return (world = await createWebhookWorld({ answer: replyAndClose(200), sender }));
}

afterEach(() => world.close());

/** A resolver that returns one list after the other, and then always the last. */
function resolverOf(...lists: [string[], ...string[][]]): () => Promise<string[]> {
  return async () => (lists.length > 1 ? lists.shift() : lists[0]) ?? [];
}

const NOT_PUBLIC = { ok: false, status: null, errorCode: 'not_public', replyExcerpt: null, timings: { connectMs: null, tlsMs: null } };

describe('a name that resolves to a private address gets no connection', () => {
  it.each([
    '127.0.0.1',
    '10.0.0.5',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    'fd00:ec2::254',
    '64:ff9b::7f00:1',
    'fe80::1%eth0',
    'not an address',
    '',
  ])('%s', async (address) => {
    await useWorld({ resolve: resolverOf([address]) });
    expect(await world.send()).toMatchObject(NOT_PUBLIC);
    expect(world.dialled).toEqual([]);
    expect(world.canary.connections()).toBe(0);
  });

  it.each([
    ['first', ['127.0.0.1', PUBLIC_ADDRESS]],
    ['last', [PUBLIC_ADDRESS, '127.0.0.1']],
    ['of the other address family', [PUBLIC_ADDRESS, '::1']],
  ])('also if it is %s among public ones', async (_title, addresses) => {
    await useWorld({ resolve: resolverOf(addresses) });
    expect(await world.send()).toMatchObject(NOT_PUBLIC);
    expect(world.dialled).toEqual([]);
  });
});

describe('a name that changes its address', () => {
  it('is resolved once per attempt, and the connection uses the vetted address', async () => {
    await useWorld({ resolve: resolverOf([PUBLIC_ADDRESS], ['127.0.0.1']) });
    expect(await world.send()).toMatchObject({ ok: true });
    expect(world.dialled).toEqual([PUBLIC_ADDRESS]);
    expect(world.canary.connections()).toBe(0);
  });

  it('is refused on the next attempt, because no connection is reused across checks', async () => {
    await useWorld({ resolve: resolverOf([PUBLIC_ADDRESS], ['127.0.0.1']) });
    await world.send();
    expect(await world.send()).toMatchObject(NOT_PUBLIC);
    expect(world.receiver.requests).toHaveLength(1);
    expect(world.canary.connections()).toBe(0);
  });
});

describe('a URL that breaks the rules', () => {
  it.each([
    'http://hooks.example.com/',
    'https://hooks.example.com:8443/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://localhost/',
    'https://user:secret@hooks.example.com/',
    'file:///etc/passwd',
    'nonsense',
  ])('%s is refused again before sending, without a look-up', async (url) => {
    const resolve = jest.fn(resolverOf([PUBLIC_ADDRESS]));
    await useWorld({ resolve });
    expect(await world.send({ url })).toMatchObject({ ok: false, errorCode: 'invalid_url', status: null });
    expect(resolve).not.toHaveBeenCalled();
    expect(world.dialled).toEqual([]);
  });
});

describe('a name', () => {
  it('that does not resolve fails with dns', async () => {
    await useWorld({ resolve: async () => Promise.reject(new Error(`queryA ENOTFOUND ${HOST}`)) });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'dns', timings: { dnsMs: expect.any(Number), connectMs: null } });
  });

  it('without an address fails with dns', async () => {
    await useWorld({ resolve: async () => [] });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'dns' });
  });

  it('whose address refuses connections fails with connect', async () => {
    const closed = await startSilentReceiver();
    await closed.close();
    await useWorld({ dial: () => connect(closed.port, '127.0.0.1') });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'connect', timings: { connectMs: expect.any(Number), tlsMs: null } });
  });

  it('with several addresses is tried at each, IPv4 first, until one responds', async () => {
    const closed = await startSilentReceiver();
    await closed.close();
    const dialled: string[] = [];
    await useWorld({
      resolve: async () => ['2606:4700::1111', '1.1.1.1', '8.8.8.8'],
      dial: ({ address }) => {
        dialled.push(address);
        return connect(address === '8.8.8.8' ? world.receiver.port : closed.port, '127.0.0.1');
      },
    });
    expect(await world.send()).toMatchObject({ ok: true });
    expect(dialled).toEqual(['1.1.1.1', '8.8.8.8']);
  });

  it('with many addresses is tried at IPv6 too, because some machines lack IPv4', async () => {
    const closed = await startSilentReceiver();
    await closed.close();
    const dialled: string[] = [];
    await useWorld({
      resolve: async () => ['1.1.1.1', '8.8.8.8', '9.9.9.9', '8.8.4.4', '1.0.0.1', '2606:4700::1111', '2606:4700::1112'],
      dial: ({ address }) => {
        dialled.push(address);
        return connect(address.includes(':') ? world.receiver.port : closed.port, '127.0.0.1');
      },
    });
    expect(await world.send()).toMatchObject({ ok: true });
    expect(dialled).toEqual(['1.1.1.1', '8.8.8.8', '9.9.9.9', '2606:4700::1111']);
  });

  it('with a hundred addresses is tried at four of them', async () => {
    const closed = await startSilentReceiver();
    await closed.close();
    const dial = jest.fn(() => connect(closed.port, '127.0.0.1'));
    await useWorld({ resolve: async () => Array.from({ length: 100 }, (_, index) => `8.8.4.${index}`), dial });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'connect' });
    expect(dial).toHaveBeenCalledTimes(4);
  });
});
