import path from 'node:path';
import type { BundleOptions } from '@temporalio/worker';

/** What the workflow bundle is made of, for the worker, the tests and the recorder alike. */
export const WORKFLOW_BUNDLE: Pick<BundleOptions, 'workflowsPath' | 'payloadConverterPath'> = {
  workflowsPath: path.join(__dirname, '../workflows'),
  payloadConverterPath: path.join(__dirname, '../workflows/payload-converter'),
};
