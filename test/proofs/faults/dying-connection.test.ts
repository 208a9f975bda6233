import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { builtFile } from '../../support/infrastructure';
import { listen } from '../../support/listen';

/** A message of PostgreSQL's protocol: type, length, content. */
function postgresMessage(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const STARTUP_REPLY = Buffer.concat([postgresMessage('R', Buffer.alloc(4)), postgresMessage('Z', Buffer.from('I'))]);
const FATAL_ERROR = postgresMessage('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'));

/** The behavior of a process whose database accepts the connection and closes it at once. */
it('a connection that breaks when it becomes ready does not end the process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([STARTUP_REPLY, FATAL_ERROR])));
  });
  const url = `postgres://postgres:secret@${await listen(server)}/any`;
  const script = `
    const { openDatabase } = require(${JSON.stringify(builtFile('src', 'db', 'database.js'))});
    openDatabase(${JSON.stringify(url)}, 2).then(() => 'connected', () => 'refused').then((how) => process.stdout.write(how, () => process.exit(0)));`;
  const child = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const [code] = await once(child, 'close');
  server.close();
  expect({ code, said: said.join('') }).toEqual({ code: 0, said: 'refused' });
});
