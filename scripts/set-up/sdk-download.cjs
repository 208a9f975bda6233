// Lets the Temporal SDK download a server, starts it once to see that it works, and ends. Run by temporal-tools.mjs in a process
// of its own, because a download without an internet connection may hang, and a process can be ended.
'use strict';

const { TestWorkflowEnvironment } = require('@temporalio/testing');

const [kind, downloadDir] = process.argv.slice(2);
const server = { executable: { type: 'cached-download', downloadDir } };
const create =
  kind === 'time-skipping'
    ? () => TestWorkflowEnvironment.createTimeSkipping({ server })
    : () => TestWorkflowEnvironment.createLocal({ server });

create()
  .then((environment) => environment.teardown())
  .then(() => process.exit(0))
  .catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
