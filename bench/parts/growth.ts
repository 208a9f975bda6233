import { finding } from '../growth/finding';
import { memory } from '../growth/memory';
import { insertOpen } from '../growth/open';
import { besideOpenInvoices } from '../growth/open-invoices';
import { placing } from '../growth/placing';
import { reads } from '../growth/reads';
import { restart } from '../growth/restart';
import { sizeNote } from '../growth/size';
import { sweep, turns } from '../growth/sweep';
import { openTwin } from '../growth/twin';
import { loadYear } from '../growth/year';
import type { Report } from '../report';
import type { Stage } from '../stage';

/** For a stage of its own: it stores much and keeps its sweepers still. */
export const GROWTH_ENV = {};

const FEW = 1_000;
const MANY = 1_000_000;
const OPEN = 10_000;

/**
 * A year of orders against few: two databases in one cluster, each with an API, a worker and a namespace, measured in turn. Then
 * many open orders on the larger one, and a worker that is restarted.
 */
export async function growth(stage: Stage, quick: boolean, report: Report): Promise<void> {
  const twin = await openTwin(stage);
  // A sweep in the middle of a slice would fall on one side, and all orders that were copied open would be its to start.
  for (const { temporal } of [stage, twin]) await temporal.schedule.getHandle('sweeper').pause();
  const few = await loadYear(stage, FEW);
  const startedAt = performance.now();
  const many = await loadYear(twin, quick ? MANY / 10 : MANY);
  report.notes.push(await sizeNote(many, performance.now() - startedAt));
  await reads(few, many, quick, report);
  await finding(few, many, report);
  await placing(few, many, quick, report);
  await besideOpenInvoices(few, quick, report);

  const open = await insertOpen(many, quick ? OPEN / 5 : OPEN);
  await twin.worker.stop();
  const opened = await memory(twin, open, quick, report);
  if (opened.count === open.length) await sweep(twin, opened.count, report);
  await restart(twin, opened, report);
  await turns(twin, report);
  await twin.close();
}
