import { existsSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type BundleOptions, type WorkflowBundle } from '@temporalio/worker';

/** What the workflow bundle is made of, for the processes, the tests and the recorder alike. */
export const WORKFLOW_BUNDLE: Pick<BundleOptions, 'workflowsPath' | 'payloadConverterPath' | 'workflowInterceptorModules'> = {
  workflowsPath: path.join(__dirname, '../workflows'),
  payloadConverterPath: path.join(__dirname, '../workflows/payload-converter'),
  workflowInterceptorModules: [path.join(__dirname, '../workflows/interceptors')],
};

/** Where the build leaves it, so that no process spends its first seconds on making it. */
const BUILT = path.join(__dirname, '../workflow-bundle.js');

/** The bundle as the build made it; made now where there is none. */
export async function workflowBundle(): Promise<{ codePath: string } | WorkflowBundle> {
  return existsSync(BUILT) ? { codePath: BUILT } : bundle();
}

function bundle(): Promise<WorkflowBundle> {
  return bundleWorkflowCode({ ...WORKFLOW_BUNDLE, logger: new DefaultLogger('WARN') });
}

/** The last step of the build: `node dist/src/workflow-bundle.js`. */
async function main(): Promise<void> {
  const { code } = await bundle();
  writeFileSync(`${BUILT}.new`, code);
  renameSync(`${BUILT}.new`, BUILT);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  });
}
