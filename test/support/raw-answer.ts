import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends this text to a server on this machine. Returns all that it answers until it closes the connection. */
export async function answerTo(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.on('error', () => undefined); // a reset is followed by `close`
  socket.write(sent);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}
