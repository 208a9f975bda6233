import { connect, constants, createServer, type IncomingHttpHeaders } from 'node:http2';
import { temporalAddress } from './infrastructure';
import { listen } from './listen';

const OPERATOR_SERVICE = '/temporal.api.operatorservice.';

export interface OperatorOnlyProxy {
  address: string;
  /** The refused calls. */
  refused: string[];
  close(): void;
}

/** The run's Temporal, except that the operator service answers with this gRPC status, as Temporal Cloud does. */
export async function startOperatorOnlyProxy(grpcStatus: number): Promise<OperatorOnlyProxy> {
  const far = connect(`http://${await temporalAddress()}`);
  const refused: string[] = [];
  const server = createServer().on('stream', (near, headers) => {
    const path = String(headers[':path']);
    if (path.startsWith(OPERATOR_SERVICE)) {
      refused.push(path);
      near.respond({ 'content-type': 'application/grpc', 'grpc-status': grpcStatus, 'grpc-message': 'not permitted' }, { endStream: true });
      return;
    }
    const call = far.request(headers);
    let trailers: IncomingHttpHeaders = {};
    call.on('trailers', (received) => (trailers = received));
    near.on('wantTrailers', () => near.sendTrailers(trailers));
    call.on('response', (received, flags) => {
      const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      near.respond(received, { endStream, waitForTrailers: !endStream });
      if (!endStream) call.pipe(near);
    });
    near.on('error', () => call.close());
    call.on('error', () => near.close());
    near.pipe(call);
  });
  return {
    address: await listen(server),
    refused,
    close() {
      server.close();
      far.destroy();
    },
  };
}
