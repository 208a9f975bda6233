// A Temporal server with PostgreSQL behind it, as a deployment has, for the benchmarks: the dev server of the command line keeps
// everything in memory. Its programs `server` and `sql` have a folder of their own; the second has the schema built in.

import { cached, ensureTool, goInstall } from './tools.mjs';

const TEMPORAL_SERVER = '1.31.2';
const MODULE = 'go.temporal.io/server';

/** @returns the path of `server`; `sql` is beside it */
export function ensureTemporalServer() {
  const name = 'temporalServer';
  const folder = `go-${TEMPORAL_SERVER}`;
  return ensureTool(name, [cached(name, folder, 'server')], () =>
    goInstall({
      name,
      program: 'server',
      folder,
      go: '1.26.4',
      module: [`${MODULE}/cmd/tools/sql@v${TEMPORAL_SERVER}`, `${MODULE}/cmd/server@v${TEMPORAL_SERVER}`],
      title: `building the Temporal server ${TEMPORAL_SERVER} from source, for the benchmarks, about 3 minutes, once per machine`,
      advice: 'Or run the benchmarks on the dev server only: npm run bench -- --server dev.',
    }),
  );
}
