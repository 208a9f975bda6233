import type { Database } from './site';

export interface ServerPorts {
  frontend: number;
  metrics: number;
  /** For the other three services, and for the membership of all four. */
  rest: number[];
}

/** As in docker-compose.yml. The number of shards is for ever, so it is part of what is measured. */
const SHARDS = 16;

/** As in docker-compose.yml: by default a shard looks for work twenty times a second. Update-with-start needs no switch here. */
export const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': [{ value: 1000 }],
  'history.timerProcessorMaxPollRPS': [{ value: 1000 }],
};

export function currentServerConfig(database: Database, { frontend, metrics, rest }: ServerPorts, dynamicConfigFile: string): object {
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `127.0.0.1:${database.port}`,
      connectProtocol: 'tcp',
      user: 'postgres',
      password: database.password,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const rpc = (grpcPort: number, membershipPort: number) => ({ rpc: { grpcPort, membershipPort, bindOnLocalHost: true } });
  const [history, matching, worker, ...membership] = rest as [number, number, number, number, number, number, number];
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'main',
      visibilityStore: 'visibility',
      numHistoryShards: SHARDS,
      datastores: { main: store('temporal', 20), visibility: store('temporal_visibility', 10) }, // as the server's image has them
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' },
      metrics: { prometheus: { framework: 'tally', timerType: 'histogram', listenAddress: `127.0.0.1:${metrics}` } },
    },
    services: {
      frontend: rpc(frontend, membership[0]),
      history: rpc(history, membership[1]),
      matching: rpc(matching, membership[2]),
      worker: rpc(worker, membership[3]),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: `127.0.0.1:${frontend}` },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '60s' },
  };
}
