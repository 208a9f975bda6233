import { connect } from 'node:net';

/** All that a server on this machine answers to `sent`, until it closes the connection. */
export async function answerTo(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.on('error', () => undefined); // a reset is followed by `close`
  socket.write(sent);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}
