import type { StudioRequest } from './types';

/** A workflow in the Temporal Web UI; null where none is configured. */
export function workflowUrl({ deps }: StudioRequest, workflowId: string): string | null {
  const { uiUrl, namespace } = deps.config.temporal;
  return uiUrl === null ? null : `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;
}
