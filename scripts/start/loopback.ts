/** Requests to this machine use no proxy. Some clients, such as gRPC's, use the proxy of `http_proxy` unless `no_proxy` names the address. */
export function excludeLoopbackFromProxy(): void {
  const { env } = process;
  const loopback = '127.0.0.1,localhost';
  const hosts = [env['no_proxy'], env['NO_PROXY'], loopback].filter(Boolean).join(',');
  Object.assign(env, { no_proxy: hosts, NO_PROXY: hosts });
  if (env['no_grpc_proxy']) env['no_grpc_proxy'] += `,${loopback}`; // grpc-js prefers it
}
