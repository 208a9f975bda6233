import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { findFreePort } from '../../../scripts/start/ports';
import { versitygwPath } from '../../support/infrastructure';

export const CREDENTIALS = { accessKeyId: 'test-access', secretAccessKey: 'test-secret' };
export const BUCKET = 'artwork-test';
export const REGION = 'us-east-1';

/** A real S3-compatible server with one bucket. The set-up of the run builds its binary. */
export interface S3Gateway {
  endpoint: string;
  /** Settings of a service with its artwork in this server. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Tests use a real S3 server and are never skipped. */
export async function startS3Gateway(): Promise<S3Gateway> {
  const dir = await mkdtemp(path.join(tmpdir(), 'artwork-s3-'));
  const port = await findFreePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = await startVersitygw(dir, port);
  const admin = new S3Client({ endpoint, region: REGION, credentials: CREDENTIALS, forcePathStyle: true, maxAttempts: 10 });
  await admin.send(new CreateBucketCommand({ Bucket: BUCKET }));
  admin.destroy();
  return {
    endpoint,
    env: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: BUCKET,
      S3_REGION: REGION,
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
    async stop() {
      if (child.exitCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function startVersitygw(dir: string, port: number): Promise<ChildProcess> {
  const data = path.join(dir, 'data');
  const meta = path.join(dir, 'meta');
  await Promise.all([mkdir(data), mkdir(meta)]);
  const child = spawn(versitygwPath(), ['--port', `127.0.0.1:${port}`, '--health', '/health', 'posix', '--sidecar', meta, data], {
    env: { ...process.env, ROOT_ACCESS_KEY: CREDENTIALS.accessKeyId, ROOT_SECRET_KEY: CREDENTIALS.secretAccessKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await untilListening(child);
  return child;
}

/** The server prints its banner when it listens. */
function untilListening(child: ChildProcess): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`versitygw ended with ${code}: ${said}`)));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('http://')) resolve();
      });
    }
  });
}
