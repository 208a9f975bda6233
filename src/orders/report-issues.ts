import type { Database, Transaction } from '../db/database';
import { takeOrdersToReport, updateReportedIssues, type OrderToReport } from '../db/repositories/issue-checks';
import { insertEvent } from '../db/repositories/webhook-deliveries';
import { ISSUE_RAISED, ISSUE_RESOLVED, type IssueEventType } from '../domain/events';
import { issueKey } from '../domain/order-issues';
import type { Clock } from '../platform/clock';
import { createEvent } from './events';

const BATCH_SIZE = 50;

/**
 * Writes events about issues that appeared or ended since the last call (ruling 94). Runs after the commit of their cause, because that may
 * have locked uploads, and orders must be locked before them.
 * @returns how many orders were checked, and how many deliveries wait for their first attempt
 */
export function reportIssues({ database, clock }: { database: Database; clock: Clock }): Promise<{ checked: number; deliveries: number }> {
  return database.transaction(async (sql) => {
    const orders = await takeOrdersToReport(sql, BATCH_SIZE);
    let deliveries = 0;
    for (const order of orders) deliveries += await reportIssuesOf(sql, order, clock.now());
    return { checked: orders.length, deliveries };
  });
}

async function reportIssuesOf(sql: Transaction, order: OrderToReport, now: Date): Promise<number> {
  const issues = [...new Set(order.issues.map(issueKey))];
  const types: IssueEventType[] = [];
  if (order.reported_issues.some((reported) => !issues.includes(reported))) types.push(ISSUE_RESOLVED);
  if (issues.some((issue) => !order.reported_issues.includes(issue))) types.push(ISSUE_RAISED);
  if (types.length === 0) return 0;
  let deliveries = 0;
  for (const [index, type] of types.entries())
    deliveries += await insertEvent(sql, createEvent(order, { type, sequence: order.event_sequence, part: order.parts + 1 + index }, now));
  await updateReportedIssues(sql, order.id, issues);
  return deliveries;
}
