/** The server's counter `task_requests`: what its queues did, by kind of task. */
export function taskTotals(metrics: string): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const line of metrics.split('\n')) {
    if (!/^task_requests(_total)?\{/.test(line)) continue;
    const type = line.match(/task_type="([^"]*)"/)?.[1] ?? line.match(/operation="([^"]*)"/)?.[1] ?? 'unknown';
    totals[type] = (totals[type] ?? 0) + Number(line.slice(line.lastIndexOf(' ') + 1));
  }
  return totals;
}

/** The server's counter `action` (what Temporal Cloud would bill for) of our namespace, by type. */
export function actionTotals(metrics: string): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const line of metrics.split('\n')) {
    if (!/^action(_total)?\{/.test(line) || !line.includes('namespace="default"')) continue;
    const type = line.match(/action_type="([^"]*)"/)?.[1] ?? 'unknown';
    totals[type] = (totals[type] ?? 0) + Number(line.slice(line.lastIndexOf(' ') + 1));
  }
  return totals;
}

export function between(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([type, count]) => [type, count - (before[type] ?? 0)]));
}
