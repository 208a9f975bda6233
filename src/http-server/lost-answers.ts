import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const awaited = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * An answer closes with its connection. Node does so only for the one whose turn it is: an answer that waits behind another, of requests
 * sent without waiting, never closes once the connection is gone, and who waits for its end waits for ever.
 */
export function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  const answers = awaited.get(socket) ?? answersOf(socket);
  answers.add(response);
  response.once('close', () => answers.delete(response));
}

function answersOf(socket: Socket): Set<ServerResponse> {
  const answers = new Set<ServerResponse>();
  awaited.set(socket, answers);
  socket.once('close', () => {
    for (const answer of answers) lose(answer);
  });
  return answers;
}

/** As Node does it, whose streams look at `_closed`. */
function lose(answer: ServerResponse & { _closed?: boolean }): void {
  if (answer.closed) return;
  answer.destroy();
  answer._closed = true;
  answer.emit('close');
}
