import type { StudioRequest } from './types';

/** A workflow in the Temporal Web UI. */
export function workflowUrl({ deps }: StudioRequest, workflowId: string): string {
  const { uiUrl, namespace } = deps.config.temporal;
  return `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;
}
