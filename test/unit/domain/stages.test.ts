import fc from 'fast-check';
import { replay, type AppliedMilestone } from '../../../src/domain/correction';
import { cancelBlockers, toCancelFacts } from '../../../src/domain/cancel-rules';
import { decide, isMilestoneType, MILESTONE_TYPES, type MilestoneType, type OrderMessage } from '../../../src/domain/order-messages';
import { MAX_PER_KIND } from '../../../src/domain/order-messages/limits';
import type { OrderFacts } from '../../../src/domain/order-status';
import { MAX_ORDER_TEXT_BYTES } from '../../../src/domain/order-texts';
import { framingIssue, stageProgress } from '../../../src/domain/stages';
import { propertyRuns } from '../../support/property-runs';
import { StageOracle } from '../../support/stage-oracle';
import { placedFacts } from '../../support/order-facts';

const factsOf = (lineCount: number): OrderFacts => placedFacts({ lineCount });

const report = (type: MilestoneType, lines: number[] | null = null) => ({ type, lines });

describe('the progress of an order', () => {
  const [FRAMED, BARE] = [
    [true, false, true],
    [false, false],
  ];

  it.each<[string, boolean[], ReturnType<typeof report>[], string | null]>([
    ['nothing', FRAMED, [], null],
    ['the start', FRAMED, [report('production_started')], null],
    ['one printed line', FRAMED, [report('printed', [1])], null],
    ['all lines printed one after another', FRAMED, [report('printed', [1]), report('printed', [0, 2])], 'printed'],
    ['a message without lines', FRAMED, [report('printed')], 'printed'],
    ['one of the framed lines', FRAMED, [report('printed'), report('framed', [0])], 'printed'],
    ['both framed lines', FRAMED, [report('printed'), report('framed', [0]), report('framed', [2])], 'framed'],
    ['an order without frames', BARE, [report('printed')], 'printed'],
    ['checked without frames', BARE, [report('printed'), report('checked')], 'checked'],
    ['ready without checking', BARE, [report('printed'), report('ready')], 'ready'],
    ['ready before the last line is printed', BARE, [report('printed', [0]), report('ready')], 'ready'],
  ])('after %s', (_title, framed, reports, stage) => {
    expect(stageProgress(framed, reports).stage).toBe(stage);
  });

  it('lists the lines of each stage; only lines with a frame are framed', () => {
    expect(stageProgress(FRAMED, [report('printed'), report('framed'), report('checked', [1])]).lines).toEqual({
      printed: [0, 1, 2],
      framed: [0, 2],
      checked: [1],
      ready: [],
    });
  });

  it.each<[boolean[], number[] | null, string | null]>([
    [FRAMED, null, null],
    [FRAMED, [0, 2], null],
    [FRAMED, [0, 1], 'line 1 (the 2nd) has no frame'],
    [BARE, null, 'no line of this order has a frame'],
  ])('framing of %j with the lines %j: %s', (framed, lines, issue) => {
    expect(framingIssue(framed, lines)).toBe(issue);
  });
});

it('200 lines in each of five stages fit the limits of an order', () => {
  const lines = Array.from({ length: 200 }, (_, line) => line);
  // The longest lists in the largest number of milestones.
  const message = { type: 'checked', milestoneId: 'x'.repeat(200), lines, note: null, occurredAt: '2026-03-01T09:00:00.000Z' };
  const { milestoneId: _id, ...content } = message;
  expect(MAX_PER_KIND * JSON.stringify(content).length).toBeLessThanOrEqual(MAX_ORDER_TEXT_BYTES);
});

it('random lives with stages, lines and corrections agree with the oracle', () => {
  const seen = { sent: 0, refused: 0, corrected: 0, stuck: 0, ready: 0 };
  const types = fc.constantFrom(
    ...MILESTONE_TYPES.filter((type) => !['cancelled', 'artwork_rejected'].includes(type)),
    ...(['production_started', 'printed', 'framed', 'checked', 'ready'] as const),
  );
  const lines = fc.option(fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 4 }));
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: fc.record({ type: types, lines }) }, fc.record({ correct: fc.nat() })), {
    minLength: 1,
    maxLength: 25,
  });
  const isStageType = (type: string): boolean => ['printed', 'framed', 'checked', 'ready'].includes(type);
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), steps, (frames, each) => {
      const oracle = new StageOracle(frames);
      let facts = factsOf(frames.length);
      let log: AppliedMilestone[] = [];
      for (const [at, step] of each.entries()) {
        if ('correct' in step) {
          const corrected = log[step.correct % Math.max(1, log.length)];
          if (corrected === undefined) continue;
          const remaining = log.filter((one) => one !== corrected);
          const replayed = replay(facts, remaining);
          expect('facts' in replayed).toBe(oracle.correct(corrected.milestoneId));
          if ('facts' in replayed) [facts, log] = [replayed.facts, remaining];
          seen['facts' in replayed ? 'corrected' : 'stuck'] += 1;
        } else {
          const [milestoneId, sentLines] = [`m${at}`, isStageType(step.type) ? step.lines : null];
          const message = { type: step.type, milestoneId, ...(sentLines === null ? {} : { lines: sentLines }) } as OrderMessage;
          // The database checks the frames after the workflow's decision.
          const unframed = step.type === 'framed' ? framingIssue(frames, sentLines) : null;
          const decided = decide(facts, message);
          const verdict = 'facts' in decided && unframed !== null ? { refused: unframed } : decided;
          expect('facts' in verdict).toBe(oracle.send(milestoneId, step.type, sentLines));
          if ('facts' in verdict && isMilestoneType(step.type)) {
            facts = verdict.facts;
            log.push({ milestoneId, type: step.type, lines: sentLines });
          }
          seen['facts' in verdict ? 'sent' : 'refused'] += 1;
        }
        const progress = stageProgress(frames, log);
        if (progress.stage === 'ready') seen.ready += 1;
        expect(progress.lines.printed).toEqual(facts.printedLines);
        const { baseStatus: status, printed } = facts;
        const isCancellable = !cancelBlockers(toCancelFacts(facts)).includes('printed');
        expect({ status, printed, isCancellable, ...progress }).toEqual(oracle.state);
      }
    }),
    propertyRuns(3000),
  );
  expect(Object.values(seen).every((count) => count > 0)).toBe(true);
});
