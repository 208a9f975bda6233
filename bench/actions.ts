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

export function actionsBetween(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([type, count]) => [type, count - (before[type] ?? 0)]));
}
