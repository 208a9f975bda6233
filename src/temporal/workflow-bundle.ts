import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundle } from '@temporalio/worker';
import { projectRoot } from '../platform/project-root';

/** The task queues by their production names. workflows/queues/ exports the workflows of each. */
export const WORKFLOW_QUEUES = ['orders', 'webhooks', 'artwork'] as const;
export type WorkflowQueue = (typeof WORKFLOW_QUEUES)[number];

/** The queue of each workflow type, for replaying histories. */
export const QUEUE_OF: Partial<Record<string, WorkflowQueue>> = {
  attention: 'orders',
  documentSend: 'orders',
  order: 'orders',
  quoteExpiry: 'orders',
  reminders: 'orders',
  retention: 'orders',
  statementRun: 'orders',
  sweep: 'orders',
  webhookDelivery: 'webhooks',
  webhookPing: 'webhooks',
  artworkInspection: 'artwork',
};

/** The bundle file of a queue, which the build creates to shorten the start of processes. */
const bundleFile = (queue: WorkflowQueue): string => path.join(projectRoot, 'dist', 'workflow-bundles', `${queue}.js`);

/** Returns the bundle of a queue's workflows, and creates it if the build has not. */
export async function workflowBundle(queue: WorkflowQueue): Promise<{ codePath: string } | WorkflowBundle> {
  const codePath = bundleFile(queue);
  return existsSync(codePath) ? { codePath } : bundle(queue);
}

function bundle(queue: WorkflowQueue): Promise<WorkflowBundle> {
  const workflows = path.join(__dirname, '..', '..', 'workflows');
  return bundleWorkflowCode({
    workflowsPath: require.resolve(path.join(workflows, 'queues', queue)),
    payloadConverterPath: path.join(workflows, 'payload-converter'),
    workflowInterceptorModules: [path.join(workflows, 'interceptors')],
    logger: new DefaultLogger('WARN'),
  });
}

/** The last step of the build: `node dist/src/temporal/workflow-bundle.js`. */
async function main(): Promise<void> {
  for (const queue of WORKFLOW_QUEUES) {
    const file = bundleFile(queue);
    const { code } = await bundle(queue);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, code);
    renameSync(`${file}.new`, file);
  }
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  });
}
