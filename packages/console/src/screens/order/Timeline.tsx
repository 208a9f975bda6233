import { Text, Timeline as Entries } from '@mantine/core';
import { useMay } from '../../session/session';
import { ActionsAvailable } from '../../shared/action';
import { formatMoney } from '../../shared/amount';
import { EmptyState } from '../../shared/feedback';
import { ownValue } from '../../shared/own-value';
import { Panel } from '../../shared/panel';
import { Time } from '../../shared/time';
import { reasonInWords } from '../../shared/words';
import { ACTIONS } from './action-table';
import { UndoMilestone } from './actions/UndoMilestone';
import type { Order, TimelineEntry } from './order';
import { actorInWords, changeInWords, entryTitle, lineName, piecesInWords } from './words';

/** All messages about the order, the newest last. The floor does not see money. */
export function Timeline({ order }: { order: Order }) {
  const mayOffice = useMay('office');
  const entries = order.timeline.filter(({ type }) => mayOffice || ownValue(ACTIONS, type)?.about !== 'money');
  const undone = new Set(entries.filter(isApplied).flatMap(({ corrects }) => (corrects === null ? [] : [corrects])));
  return (
    <Panel title="Timeline">
      {entries.length === 0 ? (
        <EmptyState>No entries</EmptyState>
      ) : (
        <Entries bulletSize={14} lineWidth={2} active={entries.length}>
          {entries.map((entry) => (
            <Entries.Item
              key={`${entry.milestoneId} ${entry.type} ${entry.recordedAt}`}
              title={titleOf(entry, order, undone.has(entry.milestoneId))}
            >
              <Entry order={order} entry={entry} />
            </Entries.Item>
          ))}
        </Entries>
      )}
    </Panel>
  );
}

const isApplied = ({ outcome }: TimelineEntry): boolean => outcome === 'applied';

function titleOf(entry: TimelineEntry, order: Order, isUndone: boolean): React.ReactNode {
  const corrected = order.timeline.find(({ milestoneId, outcome }) => milestoneId === entry.corrects && outcome === 'applied');
  const title = corrected === undefined ? entryTitle(entry.type) : `Undone: ${entryTitle(corrected.type).toLowerCase()}`;
  if (!isApplied(entry)) return `Refused: ${title.toLowerCase()}`;
  if (!isUndone) return title;
  return (
    <>
      <s>{title}</s> (undone)
    </>
  );
}

function Entry({ order, entry }: { order: Order; entry: TimelineEntry }) {
  const mayOffice = useMay('office');
  const { occurredAt, recordedAt, actor, note, reason, carried, change } = entry;
  return (
    <>
      <Text size="sm">
        <Time at={occurredAt} /> · {actorInWords(actor)}
        {isLater(occurredAt, recordedAt) && (
          <>
            {' '}
            · recorded <Time at={recordedAt} />
          </>
        )}
      </Text>
      {[...carriedInWords(carried, order), ...changeInWords(change)].map((words) => (
        <Text key={words} size="sm" className="wraps">
          {words}
        </Text>
      ))}
      {note !== null && <Text size="sm">Note: {note}</Text>}
      {reason !== null && <Text size="sm">Reason: {reasonInWords(reason)}</Text>}
      {mayOffice && (
        <ActionsAvailable value={entry.correctable}>
          <UndoMilestone order={order} entry={entry} />
        </ActionsAvailable>
      )}
    </>
  );
}

const MINUTE_MS = 60_000;
const isLater = (occurredAt: string, recordedAt: string): boolean => Date.parse(recordedAt) - Date.parse(occurredAt) > MINUTE_MS;

function carriedInWords(carried: TimelineEntry['carried'], { currency, parcels, payments }: Order): string[] {
  const { parcelId, trackingNumber, carrier, lines, line, paymentId, reference } = carried;
  const parcel = parcels.find((each) => each.parcelId === parcelId);
  const amountCents = carried.amountCents ?? payments.find((each) => each.paymentId === paymentId)?.amountCents;
  const tracking = trackingNumber ?? parcel?.trackingNumber;
  return [
    ...(line === undefined ? [] : [lineName(line)]),
    ...(tracking === undefined ? [] : [`${tracking}${carrier === undefined ? '' : `, ${carrier}`}`]),
    ...(lines === undefined ? [] : [`Contents: ${piecesInWords(lines)}`]),
    ...(amountCents === undefined ? [] : [formatMoney(amountCents, currency)]),
    ...(reference === undefined ? [] : [`Reference: ${reference}`]),
  ];
}
