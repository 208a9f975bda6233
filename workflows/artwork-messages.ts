/** The contract of the artwork inspection. It has its own task queue, because a large picture must not delay an order. */
export const ARTWORK_TASK_QUEUE = 'artwork';

/** Workflow id of an upload's inspection: `artwork/upl_…`. */
export const inspectionWorkflowId = (uploadId: string): string => `artwork/${uploadId}`;

export interface InspectionInput {
  uploadId: string;
}
