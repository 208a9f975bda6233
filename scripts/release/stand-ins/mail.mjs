// Accepts mail on port 1025 and lists it on port 8025, in the format of Mailpit, as far as the test reads it.

import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';

const messages = [];

createServer((socket) => {
  let rest = '';
  let recipients = [];
  let lines = null;
  const answers = {
    DATA: () => {
      lines = [];
      return '354 go on';
    },
    QUIT: () => {
      setImmediate(() => socket.end());
      return '221 bye';
    },
    RCPT: (line) => {
      recipients.push({ Address: /<([^>]*)>/.exec(line)?.[1] });
      return '250 ok';
    },
  };
  const take = (line) => {
    if (lines === null) return socket.write(`${answers[line.slice(0, 4).toUpperCase()]?.(line) ?? '250 ok'}\r\n`);
    if (line !== '.') return lines.push(line);
    messages.push({ Subject: /^Subject: (.*)$/m.exec(lines.join('\n'))?.[1], To: recipients });
    [recipients, lines] = [[], null];
    return socket.write('250 ok\r\n');
  };
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    const parts = `${rest}${bytes.toString()}`.split('\r\n');
    rest = parts.pop();
    parts.forEach(take);
  });
  socket.write('220 mail\r\n');
}).listen(1025);

createHttpServer((_request, response) => response.end(JSON.stringify({ messages }))).listen(8025);
