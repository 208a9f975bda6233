import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { toolPath } from '../../scripts/start/tools';
import { aClient, baseUrlOf } from '../service/client/support';
import { runCommand } from '../support/commands';
import { startFutureVersion } from '../support/future-version';
import { describeWithProgram } from '../support/programs';
import { startService } from '../support/service';
import { useFixture } from '../support/fixtures';

const OGEN = 'github.com/ogen-go/ogen/cmd/ogen@v1.24.0';

/** The command of the guide "Use another language". */
const generate = (language: string): string[] => [
  toolPath('generators'),
  '-c',
  'import openapi_generator_cli; openapi_generator_cli.cli()',
  'generate',
  '-i',
  'openapi.json',
  '-g',
  language,
  '-o',
  '.',
];

interface Language {
  title: string;
  /** The program besides Java and Python that it needs. */
  program: string;
  /** The name of the shop's program in `generators/`, and its path within the client. */
  shop: string;
  path?: string;
  /** The commands that generate and build the client. */
  build: () => string[][];
  run: () => string[];
}

const LANGUAGES: Language[] = [
  {
    title: 'Java',
    program: 'mvn',
    shop: 'Shop.java',
    path: 'src/main/java/Shop.java',
    build: () => [generate('java'), ['mvn', '-q', '-B', '-DskipTests', '-Djava.version=17', 'compile', 'dependency:copy-dependencies']],
    run: () => ['java', '-cp', 'target/classes:target/dependency/*', 'Shop'],
  },
  { title: 'PHP', program: 'php', shop: 'shop.php', build: () => [generate('php')], run: () => ['php', 'shop.php'] },
  { title: 'Python', program: 'java', shop: 'shop.py', build: () => [generate('python')], run: () => [toolPath('generators'), 'shop.py'] },
  {
    title: 'Go',
    program: 'go',
    shop: 'shop.go',
    build: () => [
      ['go', 'mod', 'init', 'shop'],
      ['go', 'run', OGEN, '--target', 'api', '--package', 'api', '--clean', 'openapi.json'],
      ['go', 'mod', 'tidy'],
      ['go', 'build', '-o', 'shop', '.'],
    ],
    run: () => ['./shop'],
  },
];

const service = useFixture(
  () => startService(),
  (started) => started.stop(),
);

for (const { title, program, shop, path = shop, build, run } of LANGUAGES)
  describeWithProgram(program, `a generated client in ${title}`, () => {
    const folder = useFixture(
      async () => ({ path: await mkdtemp(join(tmpdir(), 'trade-print-generated-')) }),
      (made) => rm(made.path, { recursive: true, force: true }),
    );
    const later = useFixture(
      () => startFutureVersion(baseUrlOf(service)),
      (started) => started.close(),
    );

    /** The output of a command in the folder of the client. */
    async function execute([command = '', ...args]: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
      const { code, output } = await runCommand(command, args, { cwd: folder.path, env: { ...process.env, ...env } });
      expect({ command, args, code, output: code === 0 ? '' : output.slice(-4000) }).toEqual({ command, args, code: 0, output: '' });
      return output;
    }

    const runShop = async (api: string, ...args: string[]): Promise<Record<string, unknown>> =>
      JSON.parse(
        (await execute([...run(), ...args], { API: api, KEY: service.account.testKey })).trim().split('\n').at(-1) ?? '',
      ) as Record<string, unknown>;

    it('is generated without options, places an order, and reads a later status and error code', async () => {
      const document = await fetch(new URL('/openapi.json', baseUrlOf(service)));
      await writeFile(join(folder.path, 'openapi.json'), await document.text());
      await mkdir(dirname(join(folder.path, path)), { recursive: true });
      await copyFile(join(__dirname, 'generators', shop), join(folder.path, path));
      for (const command of build()) await execute(command);

      const placed = await runShop(baseUrlOf(service), 'order');
      const client = aClient(service);
      const order = await client.orders.get(String(placed.orderId));
      expect(placed).toEqual({
        refusal: 'SHIPPING_UNAVAILABLE',
        quoteId: order.quoteId,
        orderId: order.orderId,
        status: 'received',
        totalCents: order.totalCents,
      });

      await client.test.advance(order.orderId, { to: 'in_production' });
      expect(await runShop(later.url, 'read', order.orderId, String(placed.quoteId))).toEqual({
        status: 'quality_check',
        code: 'QUOTE_USED_UP',
        orderId: order.orderId,
      });
    }, 900_000);
  });
