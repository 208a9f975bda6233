/** The contract of the workflow that looks at artwork, on a task queue of its own: a large picture can never delay an order (ruling 60). */
export const ARTWORK_TASK_QUEUE = 'artwork';

/** Workflow id of a look at an upload: `artwork/upl_…`. */
export const inspectionWorkflowId = (uploadId: string): string => `artwork/${uploadId}`;

export interface InspectionInput {
  uploadId: string;
}
