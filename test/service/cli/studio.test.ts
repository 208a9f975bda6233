import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../../scripts/start/ports';
import { projectRoot } from '../../../scripts/start/project';
import type { Terminal } from '../../../src/cli/terminal';
import { anAccount } from '../../support/accounts';
import { anAddress, anOrder } from '../../support/baskets';
import { runInProcess, runTradePrint, type CommandOutput } from '../../support/command-line';
import { anEndpoint } from '../../support/endpoints';
import { useFixture, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { builtFile } from '../../support/infrastructure';

const formatDollars = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Headings that a record contains more than once. */
const findRepeatedHeadings = (text: string): string[] => {
  const headings = (text.split('\n\n')[0] ?? '').split('\n').map((line) => line.split('  ')[0] ?? '');
  return headings.filter((heading, at) => headings.indexOf(heading) < at);
};

interface Order {
  orderId: string;
  orderNumber: string;
}

describe('trade-print against a running service', () => {
  const service = useService();
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(path.join(tmpdir(), 'trade-print-home-'));
  });
  const env = useFixture<Record<string, string>>(() => ({
    STUDIO_URL: `http://127.0.0.1:${service.api.studioPort}/`,
    STUDIO_TOKEN: service.adminToken,
    XDG_CONFIG_HOME: home,
  }));
  const order = useFixture<Order>(() => anOrder(service.trade(service.account.testKey), { shippingAddress: anAddress() }));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const run = (args: string[], rest: Partial<Terminal> = {}): Promise<CommandOutput> => runInProcess(args, env, rest);
  const runJson = async <T = Record<string, unknown>>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await run([...args, '--json']);
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as T;
  };

  it('takes a number in any spelling, and prints an address in the order of its country', async () => {
    const shippingAddress = anAddress({ city: 'Dresden', state: ' ', postcode: '01067', country: 'DE' });
    const abroad = await anOrder(service.trade(service.account.liveKey), { shippingAddress });
    const digits = abroad.orderNumber.slice(2) as string;
    for (const typed of [digits, `p${digits}`, `P ${digits}`, `P‑${digits}`]) {
      const { code, stdout } = await run(['orders', 'show', typed]);
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining('Ada Customer, 12 Hanging Lane, 01067 Dresden, Germany, ada@example.com'),
      ]);
      expect((await run(['deliveries', 'list', '--order', typed])).code).toBe(0);
      expect((await run(['invoices', 'show', typed.replace(/^p/i, 'inv')])).stdout).toContain(`INV-${digits}`);
    }
  });

  it('runs as a separate program: a table, JSON, help with examples, and an exit code for each outcome', async () => {
    const [list, asJson, help, refused, misspelt, away] = await Promise.all([
      runTradePrint(['orders', 'list', '--environment', 'test'], env),
      runTradePrint(['orders', 'list', '--environment', 'test', '--json'], env),
      runTradePrint(['parcel', 'add', '--help'], {}),
      runTradePrint(['orders', 'show', 'ord_00'], env),
      runTradePrint(['orders', 'lst'], env),
      runTradePrint(['orders', 'list', '--studio', `http://127.0.0.1:${await findFreePort()}`], env),
    ]);
    expect(list.stdout).toMatch(/^ORDER +STATUS +ACCOUNT +TOTAL .*\nT-\d+ +received +Gallery North +AUD [\d,.]+ /);
    expect([list.code, list.stderr]).toEqual([0, '']);
    expect(JSON.parse(asJson.stdout)).toEqual([expect.objectContaining({ orderId: order.orderId, status: 'received' })]);
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('Examples:\n  $ trade-print parcel add P-10001')]);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, '', 'NOT_FOUND: there is no such order\n']);
    expect([misspelt.code, misspelt.stderr]).toEqual([2, expect.stringContaining('Did you mean list?')]);
    expect([away.code, away.stderr]).toEqual([
      3,
      expect.stringMatching(/cannot reach the studio API at .* \(connect ECONNREFUSED.*STUDIO_URL/),
    ]);
  });

  it('ends without an error when its reader closes the pipe', async () => {
    const { child, ended } = spawnCli(['openapi', 'trade'], {});
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  describe('the token', () => {
    const { STUDIO_TOKEN: _none, ...without } = { STUDIO_TOKEN: '' };
    const file = (): string => path.join(home, 'trade-print', 'login.json');
    const settings = (): Record<string, string> => ({ XDG_CONFIG_HOME: home, ...without });

    it('is checked by login and stored in a private file, for one service', async () => {
      const nothing = await run(['orders', 'list'], { env: settings() });
      expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringMatching(/STUDIO_TOKEN.*trade-print login/)]);
      const wrong = await run(['login', '--studio', env.STUDIO_URL ?? ''], {
        env: settings(),
        readSecret: async () => `lps_${'0'.repeat(64)}\n`,
      });
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/^UNAUTHORIZED: .*trade-print login.*STUDIO_TOKEN/)]);

      const login = spawnCli(['login', '--studio', env.STUDIO_URL ?? ''], settings());
      login.child.stdin?.end(`${service.adminToken}\n`);
      expect(await login.ended).toEqual({ code: 0, stdout: `stored in ${file()}\n`, stderr: '' });
      expect(statSync(file()).mode & 0o777).toBe(0o600);
      expect(await run(['tokens', 'list'], { env: settings() })).toMatchObject({ code: 0, stderr: '' });
      const elsewhere = await run(['tokens', 'list', '--studio', 'http://127.0.0.1:1'], { env: settings() });
      expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('the login is for http://127.0.0.1:')]);
    });

    it('is not read from a file that others can read', async () => {
      chmodSync(file(), 0o640);
      const { code, stderr } = await run(['tokens', 'list'], { env: settings() });
      expect([code, stderr]).toEqual([2, expect.stringContaining(`chmod 600 ${file()}`)]);
      chmodSync(file(), 0o600);
    });

    it('can end with the line end of a Windows file, and is refused with characters that no header has', async () => {
      const list = (token: string) =>
        run(['tokens', 'list'], { env: { ...settings(), STUDIO_URL: env.STUDIO_URL ?? '', STUDIO_TOKEN: token } });
      expect(await list(`${service.adminToken}\r\n`)).toMatchObject({ code: 0, stderr: '' });
      expect(await list(`\u201c${service.adminToken}\u201d`)).toMatchObject({ code: 2, stderr: expect.stringContaining('STUDIO_TOKEN') });
    });

    it('is never an argument', async () => {
      expect(await run(['tokens', 'list', '--token', service.adminToken])).toMatchObject({ code: 2 });
    });
  });

  it('creates an account in dollars and per cent, mints its key and shows both', async () => {
    const account = await runJson<{ id: string }>(
      'accounts',
      'create',
      '--name',
      'Gallery South',
      '--email',
      'orders@south.example',
      '--discount',
      '12.5',
      '--credit-limit',
      '1234.5',
    );
    const changed = await run(['accounts', 'update', account.id, '--terms', '14', '--no-api-access']);
    expect(changed.stdout).toMatch(/trade discount +12.50 %\ncredit limit +AUD 1,234.50\npayment terms days +14\n.*\napi access +no\n/);
    expect((await run(['accounts', 'update', account.id, '--credit-limit', 'none'])).stdout).toMatch(/credit limit +none \(no limit\)\n/);
    const key = await runJson<{ id: string; key: string }>(
      'keys',
      'mint',
      account.id,
      '--environment',
      'test',
      '--scope',
      'price:read',
      '--scope',
      'orders:read',
    );
    expect(key).toMatchObject({ key: expect.stringMatching(/^lpk_test_/), scopes: ['price:read', 'orders:read'] });
    expect((await run(['keys', 'revoke', account.id, key.id])).stdout).toMatch(/revoked +\d{4}-\d\d-\d\d \d\d:\d\d\n/);
    expect((await run(['keys', 'list', account.id])).stdout).toMatch(
      new RegExp(`\n${key.id} +test +– +price:read, orders:read +${key.key.slice(-4)} `),
    );
  });

  it('records the events of an order by its number, with ids that are printed before they are sent', async () => {
    const made = await run(['milestone', 'start', order.orderId, '--note', 'press 7']);
    const id = /^milestoneId (cli-[0-9a-f]{16}) {2}\(to repeat this call: --id \1\)\n$/.exec(made.stderr)?.[1] ?? '';
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^order +T-\d+\nstatus +in_production\n/)]);
    expect(await run(['milestone', 'start', order.orderId, '--note', 'press 7', '--id', id])).toMatchObject({ code: 0, stderr: '' });
    const again = await run(['milestone', 'release', order.orderId]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/\nMILESTONE_REFUSED: /)]);

    const refused = await run(['payment', 'record', order.orderId, '--amount', '0.29', '--reference', 'A\u001b[2JB', '--id', 'bank/1']);
    expect([refused.stdout, refused.stderr]).toEqual(['', expect.stringContaining('must not contain control characters')]);
    const paid = await run(['payment', 'record', order.orderId, '--amount', '0.29', '--reference', 'A\u202eB', '--id', 'bank/1']);
    expect(paid.stdout).toMatch(/PAYMENT ID +AMOUNT .*\n +bank\/1 +AUD 0.29 .*A\\u202eB/);
    expect(paid.stdout).not.toMatch(/\u202e/);
    await run(['payment', 'record', order.orderId, '--amount', '0.01', '--received-at', '2026-03-01', '--id', 'bank/2']);
    expect((await runJson('orders', 'show', order.orderId)).payments).toContainEqual(
      expect.objectContaining({ paymentId: 'bank/2', receivedAt: new Date('2026-03-01T00:00').toISOString() }),
    );
    await run(['payment', 'reverse', order.orderId, 'bank/2', '--reason', 'bounced']);
    expect((await run(['payment', 'reverse', order.orderId, 'bank/1', '--reason', 'bounced'])).stdout).toMatch(/\npaid +AUD 0.00\n/);
    const shipped = await run(['parcel', 'add', order.orderId, '--tracking', 'AP1', '--at', '2026-03-01 09:30', '--id', 'CC-1']);
    expect(shipped.stdout).toMatch(/CC-1 +AP1 +– +– +2026-03-01 09:30/);
    expect((await runJson('orders', 'show', order.orderId)).parcels).toMatchObject([
      { shippedAt: new Date('2026-03-01T09:30').toISOString() },
    ]);
    const delivered = await run(['parcel', 'deliver', order.orderId, 'CC-1', '--at', '2026-03-04 14:20']);
    expect(delivered.stdout).toMatch(/CC-1 +AP1 +– +– +2026-03-01 09:30 +2026-03-04 14:20/);
    expect((await run(['parcel', 'undeliver', order.orderId, 'CC-1'])).stdout).toMatch(/2026-03-01 09:30 +–/);
    expect((await run(['parcel', 'void', order.orderId, 'CC-1'])).stdout).toMatch(/status +in_production\n/);
    expect((await run(['orders', 'show', order.orderId])).stdout).toMatch(
      /ships to +Ada Customer, 12 Hanging Lane, Melbourne VIC 3000, .*\n\njob lines\n {2}LINE +PRODUCT .*\n +1 +\S.*\n\ntimeline\n {2}WHEN .*production_started/s,
    );
  });

  it('packed orders are exported, and the tracking numbers of a file are previewed and recorded', async () => {
    const { orderId, orderNumber } = await anOrder(service.trade(service.account.liveKey));
    for (const type of ['start', 'printed']) await run(['milestone', type, orderId]);
    const packed = path.join(home, 'packed.csv');
    await run(['labels', 'export', '--out', packed]);
    expect(readFileSync(packed, 'utf8')).toContain(`\r\n${orderNumber},`);
    const shipped = path.join(home, 'shipped.csv');
    writeFileSync(
      shipped,
      Buffer.from(`\ufeffOrder Number;Tracking Number\r\n${orderNumber};1Z999AA10123456784\r\nP-99;X1\r\n`, 'utf16le'),
    );
    const preview = await run(['labels', 'import', shipped, '--dry-run']);
    expect(preview.stdout).toMatch(/only previewed +yes\nadded +1\n.*refused +1\n/s);
    expect(preview.stdout).toMatch(/2 +P-\d+ +1Z999AA10123456784 +UPS +– +added +–\n +3 +P-99 +X1 .*refused +there is no such order/);
    const refused = await run(['labels', 'import', shipped], { isInteractive: true, ask: async () => 'n' });
    expect(refused.stderr).toMatch(/1Z999AA10123456784/);
    expect((await runJson('orders', 'show', orderId)).parcels).toEqual([]);
    expect((await run(['labels', 'import', shipped, '--yes'])).stdout).toMatch(/only previewed +no\nadded +1\n/);
    expect((await run(['labels', 'import', shipped, '--yes'])).stdout).toMatch(/added +0\n.*unchanged +1\n/s);
    expect((await run(['labels', 'import', path.join(home, 'none.csv'), '--yes'])).stderr).toMatch(/cannot read .*none\.csv/);
    expect((await run(['settings', 'label-program'])).stdout).toMatch(/tracking +Tracking Number\n.*Postcode +postcode\n/s);
  });

  it.each<[string, string[], RegExp]>([
    [
      'an amount with three decimals',
      ['payment', 'record', 'ord_00', '--amount', '1.005'],
      /--amount takes an amount such as 120.50, not "1.005"/,
    ],
    ['an amount of zero', ['payment', 'record', 'ord_00', '--amount', '0'], /--amount must be an amount from 0\.01, not "0"/],
    ['an unknown status, with the nearest one', ['orders', 'list', '--status', 'shiped'], /did you mean shipped\?/],
    ['a day that does not exist', ['endpoints', 'recover', 'whe_00', '--since', '2026-02-30'], /--since takes a time such as/],
    ['a time instead of a day', ['stats', '--from', '2026-02-01 09:30'], /--from takes a day such as 2026-03-01/],
    ['a value outside of a list', ['orders', 'list', '--limit', '0'], /--limit takes a whole number from 1, not "0"/],
    ['more than a page of the board', ['orders', 'watch', '--once', '--limit', '500'], /--limit takes a whole number from 1 to 100/],
    ['a missing option', ['parcel', 'add', 'ord_00'], /--tracking/],
    ['an unknown option, before the missing ones', ['parcel', 'add', 'ord_00', '--traking', 'AP1'], /^error: unknown option '--traking'/],
    ['a change without fields', ['settings', 'set'], /no change given; add at least one option/],
    ['a number in another form', ['orders', 'show', 'q-10001'], /an order takes a number such as P-10001 .*not "q-10001"/],
    ['an invoice with the number of an order', ['invoices', 'show', 'P-10001'], /such as INV-10001/],
    ['a file that is not JSON', ['price-books', 'publish', path.join(projectRoot, 'README.md')], /README.md is not valid JSON/],
    ['an invalid address', ['settings', 'show', '--studio', 'ftp://x'], /STUDIO_URL or --studio takes/],
    ['a group without a command', ['orders'], /Usage: trade-print orders/],
    ['a test number as a live one', ['reconcile', '--issued-live', 'T-10020'], /^--issued-live takes .*, not "T-10020"\n$/],
  ])('a usage error exits with 2 and sends nothing: %s', async (_what, args, told) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(told)]);
  });

  it("shows the API's issues with the typed options", async () => {
    const { code, stderr } = await run(['accounts', 'create', '--name', '', '--email', 'nobody']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^accountRequestId cli-.*\nVALIDATION_ERROR\n {2}--name: .*\n {2}--email: must be an e-mail address/),
    ]);
  });

  it('shows a webhook and its attempts in the same format when reading and resending', async () => {
    const { accountId, testKey } = await anAccount(service.deps.database);
    await anEndpoint(service.deps.database, accountId, 'https://shop.invalid/hooks');
    const { orderNumber } = await anOrder(service.trade(testKey), { shippingAddress: anAddress() });
    const [delivery] = await runJson<{ id: string }[]>('deliveries', 'list', '--order', orderNumber);
    await waitFor('the first attempt', () =>
      service.deps.database.exists('SELECT 1 FROM webhook_attempts WHERE delivery_id = $1', [delivery?.id]),
    );
    await service.deps.database.run(`UPDATE webhook_deliveries SET deleted_attempt_at = '2026-03-01T00:00:00Z' WHERE id = $1`, [
      delivery?.id,
    ]);
    for (const what of ['show', 'resend']) {
      const { code, stdout } = await run(['deliveries', what, delivery?.id ?? '']);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^id +dlv_.*\nevent +order\.[^]*\nstate [^]*\nattempts deleted until +2026-03-01 [^]*\nattempts\n/),
      ]);
      expect(findRepeatedHeadings(stdout)).toEqual([]);
    }
  });

  it('shows the help of a command, also after the word help', async () => {
    expect(await run(['help', 'accounts', 'pay'])).toEqual(await run(['accounts', 'pay', '--help']));
  });

  it("joins the lines of the studio's details", async () => {
    const file = path.join(home, 'studio.json');
    writeFileSync(file, JSON.stringify({ name: 'Studio', abn: '51 824 753 556', address: '1 Lane\nMelbourne', bank: 'BSB 1\nAcc 2' }));
    expect((await run(['settings', 'set', '--studio-details', file])).stdout).toMatch(
      /address +1 Lane \/ Melbourne\n.*bank +BSB 1 \/ Acc 2\n/s,
    );
  });

  it('names the missing fields of a file', async () => {
    const file = path.join(home, 'studio.json');
    writeFileSync(file, JSON.stringify({ name: 'Studio' }));
    const { code, stderr } = await run(['settings', 'set', '--studio-details', file]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^VALIDATION_ERROR\n {2}--studio-details: abn is required\n/)]);
  });

  it('finds the audit entries of an order by its number or by its invoice', async () => {
    const { invoice } = await runJson<{ invoice: { invoiceNumber: string } }>('orders', 'show', order.orderNumber);
    const entries = await runJson<{ subject: string }[]>('audit', '--subject', order.orderNumber, '--all');
    expect([...new Set(entries.map(({ subject }) => subject))]).toEqual([order.orderId]);
    expect(await runJson('audit', '--subject', invoice.invoiceNumber, '--all')).toEqual(entries);
    expect((await run(['audit', '--subject', 'P-999999'])).stderr).toBe('no results\n');
  });

  it('follows pages up to the limit, and reports further rows', async () => {
    for (let at = 0; at < 3; at += 1) await run(['settings', 'set', '--critical-rush', at % 2 === 0 ? 'off' : 'on']);
    const some = await run(['audit', '--limit', '2']);
    expect([some.stdout.trimEnd().split('\n').length, some.stderr]).toEqual([3, 'more results: use --limit or --all\n']);
    expect((await runJson<unknown[]>('audit', '--all')).length).toBeGreaterThan(5);
    expect((await run(['orders', 'list', '--environment', 'test', '--q', order.orderNumber, '--sort', 'dueDate'])).code).toBe(0);
    expect((await run(['accounts', 'list', '--q', 'Gallery North', '--sort', 'name'])).stdout).toContain(service.account.accountId);
    const stats = (await run(['stats', '--environment', 'test'])).stdout;
    expect(findRepeatedHeadings(stats)).toEqual([]);
    expect(stats).toMatch(/orders placed +\d+\n[^]*\ndays\n/);
    expect((await run(['orders', 'count', '--environment', 'test'])).stdout).toMatch(/received +\d+\n[^]*late +0\n/);
    expect(await run(['deliveries', 'list', '--state', 'held'])).toEqual({ code: 0, stdout: '', stderr: 'no results\n' });
    expect(await run(['attention', 'count', '--about', 'money'])).toEqual({ code: 0, stdout: '', stderr: 'no results\n' });
    expect(await run(['orders', 'watch', '--once', '--late', '--environment', 'test'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('records stages of lines, which count from 1, and chooses the stages of the studio', async () => {
    const { orderNumber } = await anOrder(service.trade(service.account.testKey), { shippingAddress: anAddress() });
    await run(['milestone', 'start', orderNumber]);
    const printed = await run(['milestone', 'printed', orderNumber, '--line', '1']);
    expect(printed.stdout).toMatch(/\nprinted +yes\nstage +printed\n/);
    const refused = await run(['milestone', 'checked', orderNumber, '--line', '1', '--line', '2']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('there is no line 1 (the 2nd)')]);
    expect((await run(['orders', 'list', '--environment', 'test', '--stage', 'printed'])).stdout).toContain(orderNumber);
    const chosen = await run(['settings', 'set-stages', '--framed', 'on', '--checked', 'off', '--ready', 'off']);
    expect(chosen.stdout).toMatch(/framed.* +yes\n.*checked.* +no\n/);
    await run(['settings', 'set-stages', '--framed', 'off', '--checked', 'off', '--ready', 'off']);
  });

  it('undoes a milestone, remakes a line, and resolves attention', async () => {
    const { orderId, orderNumber } = await anOrder(service.trade(service.account.testKey), { shippingAddress: anAddress() });
    await run(['milestone', 'start', orderNumber]);
    await run(['milestone', 'printed', orderNumber, '--id', 'press-7/9']);
    const corrected = await run(['milestone', 'correct', orderNumber, 'press-7/9', '--reason', 'another order']);
    expect(corrected.stdout).toMatch(/status +in_production\nprinted +no\n/);
    const remake = await run(['remake', orderNumber, '--line', '1=1', '--reason', 'a scratch', '--id', 'again-1']);
    expect([remake.code, remake.stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^order +${orderNumber}-R1\\n[^]*remake of +${orderNumber}\\nremake reason +a scratch\\n$`)),
    ]);
    expect((await run(['orders', 'show', orderNumber])).stdout).toMatch(
      new RegExp(`remakes\\n.*\\n +${orderNumber}-R1 +received +1=1 +a scratch\\n`),
    );
    const none = await run(['remake', orderNumber, '--line', '2=1', '--reason', 'x']);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('the order has 1 line; there is no line 1 (the 2nd)')]);
    const wrong = await run(['remake', orderNumber, '--line', '0=1', '--reason', 'x']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--line takes a line and a quantity, such as 1=2')]);

    expect(await run(['milestone', 'cancel', orderId])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--yes runs it without asking'),
    });
    const no = await run(['milestone', 'cancel', orderId], { isInteractive: true, ask: async () => 'n' });
    expect(no).toEqual({ code: 1, stdout: '', stderr: 'cancelled; nothing was changed\n' });
    const cancelled = await run(['milestone', 'cancel', orderId, '--id', 'office/1'], { isInteractive: true, ask: async () => 'y' });
    expect([cancelled.code, cancelled.stdout]).toEqual([0, expect.stringMatching(/status +cancelled\n/)]);
    const back = await run(['milestone', 'correct', orderId, 'office/1', '--reason', 'x']);
    expect([back.code, back.stderr]).toEqual([
      1,
      expect.stringContaining('a cancellation cannot be undone, because it has voided the invoice'),
    ]);
    await run(['parcel', 'add', orderId, '--tracking', 'AP2', '--line', '1=1']);
    const open = await run(['attention', 'list', '--environment', 'test']);
    expect(open.stdout).toMatch(new RegExp(`${orderNumber} +\\S+ +Gallery North +SHIPPED_AFTER_CANCEL `));
    const resolved = await run(['attention', 'resolve', orderNumber, 'SHIPPED_AFTER_CANCEL', '--note', 'called them']);
    expect([resolved.code, resolved.stdout]).toEqual([0, expect.not.stringContaining('SHIPPED_AFTER_CANCEL')]);
    expect((await run(['attention', 'list', '--environment', 'test'])).stdout).not.toContain(orderNumber);
  });

  it('records a payment for two invoices, refunds the rest, and the statement adds up', async () => {
    const { accountId, testKey } = await anAccount(service.deps.database);
    const trade = service.trade(testKey);
    for (const _ of [1, 2]) await anOrder(trade, { shippingAddress: anAddress() });
    const invoices = await runJson<{ invoiceNumber: string; dueCents: number }[]>(
      'invoices',
      'list',
      '--environment',
      'test',
      '--account',
      accountId,
    );
    expect(invoices).toHaveLength(2);
    const shares = invoices.flatMap(({ invoiceNumber, dueCents }) => ['--invoice', `${invoiceNumber}=${formatDollars(dueCents)}`]);
    const due = invoices.reduce((sum, { dueCents }) => sum + dueCents, 0);
    const on = ['--environment', 'test'];
    const before = (await run(['accounts', 'statement', accountId, ...on])).stdout;
    expect(before).toMatch(new RegExp(`to pay +AUD ${formatDollars(due)}\ncredit +AUD 0.00\n`));
    expect(before).toMatch(
      new RegExp(
        `open invoices\n +INVOICE .*TO PAY\n${invoices
          .toReversed()
          .map(({ invoiceNumber, dueCents }) => ` +${invoiceNumber} .* AUD ${formatDollars(dueCents)}\n?`)
          .join('')}$`,
      ),
    );
    const paid = await run(['accounts', 'pay', accountId, ...on, '--amount', formatDollars(due + 150), ...shares, '--id', 'bank/7']);
    expect([paid.code, paid.stdout]).toEqual([0, expect.stringMatching(/unapplied +1.50\n[^]*\ninvoices\n/)]);
    expect((await run(['accounts', 'refund', accountId, ...on, '--amount', '1.50'])).code).toBe(0);
    const statement = await run(['accounts', 'statement', accountId, ...on, '--from', '2020-01-01']); // the month may have ended
    expect(statement.stdout).toMatch(/opening +AUD 0.00\nclosing +AUD 0.00\nto pay +AUD 0.00\ncredit +AUD 0.00\n/);
    expect(statement.stdout).toMatch(/REFUND[^]*refund .* cli-[0-9a-f]{16}/);
    expect(statement.stdout).toMatch(/payment +AUD -[\d,.]+ +AUD -1.50 .*bank\/7[^]*refund +AUD 1.50 +AUD 0.00/);
    const invoice = (await run(['invoices', 'show', invoices[0]?.invoiceNumber ?? ''])).stdout;
    expect(invoice).toMatch(/to pay +AUD 0.00\nstate +paid\n[^]*\ndue +\d{4}-/);
    expect(findRepeatedHeadings(invoice)).toEqual([]);
  });

  it('reverses a credit note by the id of its sender', async () => {
    const { accountId, testKey } = await anAccount(service.deps.database);
    const { orderNumber } = await anOrder(service.trade(testKey), { shippingAddress: anAddress() });
    const of = ['--account', accountId, '--environment', 'test'];
    const [{ invoiceNumber: invoice } = { invoiceNumber: '' }] = await runJson<{ invoiceNumber: string }[]>('invoices', 'list', ...of);
    const credited = await run(['invoices', 'credit', invoice, '--amount', '10.00', '--reason', 'scratched', '--id', 'complaint-17']);
    expect([credited.code, credited.stdout]).toEqual([0, expect.stringMatching(/complaint-17/)]);
    const reversed = await run(['credit-note', 'reverse', orderNumber, 'complaint-17', '--reason', 'wrong order']);
    expect([reversed.code, reversed.stderr]).toEqual([0, expect.stringMatching(/^reversalId cli-/)]);
    const [note] = await runJson<{ reason: string }[]>('invoices', 'credit-notes', ...of);
    expect(note).toMatchObject({ reason: 'scratched', reversedAt: expect.any(String) });
  });

  it('changes an order before production, and keeps notes on it', async () => {
    const { orderNumber } = await anOrder(service.trade(service.account.testKey), { shippingAddress: anAddress() });
    const changed = await run(['orders', 'change', orderNumber, '--reference', 'PO-9', '--special-instructions', 'ring']);
    expect([changed.code, changed.stderr]).toEqual([0, expect.stringMatching(/^changeId cli-/)]);
    expect((await run(['orders', 'show', orderNumber])).stdout).toMatch(/\nreference +PO-9\n/);
    for (const args of [
      ['note', orderNumber, '--text', 'call Ada', '--id', 'n1'],
      ['pin-note', orderNumber, 'n1'],
    ])
      expect((await run(['orders', ...args])).code).toBe(0);
    expect((await run(['orders', 'notes', orderNumber])).stdout).toMatch(/yes +call Ada +n1/);
    expect((await run(['orders', 'delete-note', orderNumber, 'n1', '--yes'])).code).toBe(0);
    expect(await runJson<unknown[]>('orders', 'notes', orderNumber)).toEqual([]);
  });

  it('counts the effects of an irreversible command first, and runs it only after confirmation', async () => {
    const { accountId, testKey } = await anAccount(service.deps.database);
    const { orderNumber } = await anOrder(service.trade(testKey), { shippingAddress: anAddress() });
    await run(['milestone', 'cancel', orderNumber, '--yes']);
    const eraseArguments = (...rest: string[]): string[] => ['accounts', 'erase', accountId, '--before', '2999-01-01', ...rest];
    expect(await run(eraseArguments())).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') });
    const asked: string[] = [];
    const terminalAnswering = (answer: string): Partial<Terminal> => ({
      isInteractive: true,
      ask: async (question) => {
        asked.push(question);
        return answer;
      },
    });
    const refused = await run(eraseArguments(), terminalAnswering('n'));
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/orders +1\n[^]*cancelled; nothing was changed\n$/),
    ]);
    expect((await run(eraseArguments('--dry-run'))).stdout).toMatch(/only counted +yes\norders +1\nexpired quotes +0\nartwork files +1\n/);
    expect((await run(eraseArguments(), terminalAnswering('yes'))).stdout).toMatch(/only counted +no\norders +1\n/);
    expect(asked).toEqual(['Erase this data permanently? [y/N] ', 'Erase this data permanently? [y/N] ']);
    expect((await run(eraseArguments('--yes'))).stdout).toMatch(/orders +0\n/);
  });

  it('publishes a price book from a file or standard input, and shows it', async () => {
    const { book } = await runJson<{ book: object }>('price-books', 'show', '1');
    const file = path.join(home, 'book.json');
    writeFileSync(file, JSON.stringify(book));
    expect(await runJson('price-books', 'publish', file, '--effective-at', '2999-01-01 00:00')).toMatchObject({ version: 2 });
    const [shown, timed] = [await runJson('price-books', 'show', '1'), { book, effectiveAt: '2999-02-03T00:00:00Z' }];
    const runWithInput = async (command: string[], content: object): Promise<CommandOutput> =>
      run(['price-books', ...command, '-', '--json'], { readInput: async () => JSON.stringify(content) });
    for (const content of [book, shown, timed]) expect(await runWithInput(['try'], content)).toMatchObject({ code: 0, stderr: '' });
    const published = [
      await runWithInput(['publish', '--effective-at', '2999-02-02T00:00:00Z'], shown),
      await runWithInput(['publish'], timed),
    ];
    expect(published.map(({ stdout }) => JSON.parse(stdout) as unknown)).toMatchObject([
      { version: 3, effectiveAt: '2999-02-02T00:00:00.000Z', book },
      { version: 4, effectiveAt: '2999-02-03T00:00:00.000Z', book },
    ]);
    expect(await runWithInput(['publish'], { book, efectiveAt: null })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('efectiveAt'),
    });
    const broken = await run(['price-books', 'publish', '-'], { readInput: async () => '{}' });
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringMatching(/^VALIDATION_ERROR\n {2}book/)]);
    expect((await run(['price-books', 'list'])).stdout).toMatch(/^VERSION .*\n +4 /);
    expect((await run(['price-books', 'diff', '4'])).stdout).toMatch(/^version +4\nagainst +3\n\ndifferences\n {2}none\n$/);
  });

  it('follows the board line by line, and exits with 0 at Ctrl-C', async () => {
    const watched = spawnCli(['orders', 'watch', '--environment', 'test', '--every', '1'], env);
    const lines = watched.output;
    await waitFor('a line', async () => lines().includes(order.orderNumber));
    const { orderId, orderNumber } = await anOrder(service.trade(service.account.testKey), { shippingAddress: anAddress() });
    await waitFor('a line', async () => lines().includes(`${orderNumber}  new  received`));
    expect((await run(['milestone', 'start', orderId])).code).toBe(0);
    await waitFor('a line', async () => lines().includes(`${orderNumber}  changed  received → in_production`));
    watched.child.kill('SIGINT');
    expect(await watched.ended).toMatchObject({ code: 0, stderr: '' });
  });

  interface Spawned {
    child: ChildProcess;
    output: () => string;
    ended: Promise<CommandOutput>;
  }
  function spawnCli(args: string[], settings: Record<string, string>): Spawned {
    const child = spawn(process.execPath, [builtFile('src', 'cli', 'index.js'), ...args], {
      env: { PATH: process.env.PATH, ...settings },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
    return { child, output: () => stdout, ended };
  }
});
