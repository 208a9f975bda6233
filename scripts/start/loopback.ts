/**
 * A proxy is not asked about this machine. Some clients, such as gRPC's, ask the proxy of `http_proxy` unless `no_proxy` names the address.
 */
export function excludeLoopbackFromProxy(): void {
  for (const name of ['NO_PROXY', 'no_proxy'])
    process.env[name] = [process.env[name], '127.0.0.1', 'localhost'].filter((hosts) => hosts !== undefined && hosts !== '').join(',');
}
