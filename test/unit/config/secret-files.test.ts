import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadConfig, loadInspectorConfig } from '../../../src/config/config';
import { SECRET_SETTINGS } from '../../../src/config/settings';
import { readSettings } from '../../../scripts/start/settings';
import { TEST_SECRETS_KEY } from '../../support/secrets';

const DATABASE_URL = 'postgres://u:hunter2@127.0.0.1:5432/d';

describe('Secrets in files', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'trade-print-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function secretFile(text: string): string {
    const file = join(mkdtempSync(join(folder, 'secret-')), 'secret');
    writeFileSync(file, text);
    return file;
  }

  function problems(env: Record<string, string | undefined>): string[] {
    try {
      loadConfig({ NODE_ENV: 'development', DATABASE_URL, SECRETS_KEY: TEST_SECRETS_KEY, ...env });
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    return [];
  }

  it('every setting with a secret can be in a file, and its final line break is removed', () => {
    const config = loadConfig({
      NODE_ENV: 'development',
      DATABASE_URL_FILE: secretFile(`${DATABASE_URL}\n`),
      DATABASE_DIRECT_URL_FILE: secretFile('postgres://u:p@direct/d\r\n'),
      DATABASE_APP_PASSWORD_FILE: secretFile('with a blank at the end \n\n'),
      SECRETS_KEY_FILE: secretFile(TEST_SECRETS_KEY),
      TEMPORAL_API_KEY_FILE: secretFile('cloud-key\n'),
      TEMPORAL_CODEC_KEY_FILE: secretFile(`plain,${TEST_SECRETS_KEY}\n`),
      STUDIO_ADMIN_TOKEN_FILE: secretFile(`lps_${'0a'.repeat(32)}\n`),
      STORAGE_SIGNING_SECRET_FILE: secretFile('signing\n'),
      S3_BUCKET: 'artwork',
      S3_ACCESS_KEY_ID_FILE: secretFile('access\n'),
      S3_SECRET_ACCESS_KEY_FILE: secretFile('secret\n'),
      SMTP_URL_FILE: secretFile('smtps://u:p@mail\n'),
      OTEL_EXPORTER_OTLP_HEADERS_FILE: secretFile('api-key=abc\n'),
    });
    expect(config).toMatchObject({
      databaseUrl: DATABASE_URL,
      databaseDirectUrl: 'postgres://u:p@direct/d',
      databaseAppPassword: 'with a blank at the end \n',
      temporal: { apiKey: 'cloud-key' },
      studioAdminToken: `lps_${'0a'.repeat(32)}`,
      storageSigningSecret: 'signing',
      s3: { credentials: { accessKeyId: 'access', secretAccessKey: 'secret' } },
      smtpUrl: 'smtps://u:p@mail',
    });
    expect(config.secretsKeys).toHaveLength(1);
    expect(config.codecKeys?.decryptionKeys).toHaveLength(1);
    expect(SECRET_SETTINGS).toHaveLength(12);
  });

  it('a setting and its file together are one problem that names both and shows neither', () => {
    expect(problems({ SMTP_URL: 'smtp://hunter2@mail', SMTP_URL_FILE: secretFile('smtp://hunter3@mail') })).toEqual([
      'SMTP_URL and SMTP_URL_FILE are both set; unset one of them',
    ]);
  });

  it.each([
    ['missing', () => join(folder, 'none'), 'ENOENT'],
    ['a folder', () => folder, 'EISDIR'],
    ['empty', () => secretFile('\n'), 'is empty'],
  ])('a file that is %s is a problem that names it', (_name, file, reason) => {
    const path = file();
    const found = problems({ SMTP_URL_FILE: path });
    expect(found).toEqual([expect.stringContaining(`SMTP_URL_FILE: ${path}`)]);
    expect(found[0]).toContain(reason);
  });

  it('the byte order mark of a Windows program is no part of a secret', () => {
    const text = `\ufeff${DATABASE_URL}\r\n`;
    expect(loadInspectorConfig({ NODE_ENV: 'test', DATABASE_URL_FILE: secretFile(text) })).toMatchObject({ databaseUrl: DATABASE_URL });
  });

  it('an invalid value of a file is reported without the value', () => {
    const found = problems({ DATABASE_URL: '', DATABASE_URL_FILE: secretFile('mysql://u:hunter2@h/d') });
    expect(found).toEqual([expect.stringContaining('DATABASE_URL')]);
    expect(found[0]).not.toContain('hunter2');
  });

  it('the inspector reads its own files and not those of other processes', () => {
    const env = { NODE_ENV: 'test', DATABASE_URL_FILE: secretFile(DATABASE_URL), SMTP_URL_FILE: join(folder, 'none') };
    expect(loadInspectorConfig(env)).toMatchObject({ databaseUrl: DATABASE_URL });
    expect(() => loadInspectorConfig({ DATABASE_URL_FILE: join(folder, 'none') })).toThrow(/DATABASE_URL_FILE/);
  });

  it('npm start uses the database of a file and passes on only the value', async () => {
    const { env, embedsPostgres } = await readSettings({ DATABASE_URL_FILE: secretFile(`${DATABASE_URL}\n`) });
    expect([embedsPostgres, env['DATABASE_URL'], env['DATABASE_URL_FILE']]).toEqual([false, DATABASE_URL, undefined]);
  });
});
