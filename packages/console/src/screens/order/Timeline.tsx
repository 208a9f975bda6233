import { Text, Timeline as Steps } from '@mantine/core';
import { useMay } from '../../session/session';
import { Offered } from '../../shared/action';
import { formatMoney } from '../../shared/amount';
import { known } from '../../shared/known';
import { Part } from '../../shared/part';
import { Nothing } from '../../shared/told';
import { When } from '../../shared/when';
import { reasonInWords } from '../../shared/words';
import { ACTIONS } from './action-table';
import { TakeBack } from './actions/TakeBack';
import type { Order, TimelineEntry } from './order';
import { actorInWords, changeInWords, happened, lineName, piecesInWords } from './words';

/** Everything that was said to have happened, the newest last. Of money the floor is not told. */
export function Timeline({ order }: { order: Order }) {
  const mayOffice = useMay('office');
  const entries = order.timeline.filter(({ type }) => mayOffice || known(ACTIONS, type)?.about !== 'money');
  const takenBack = new Map(entries.filter(isApplied).flatMap((entry) => (entry.corrects === null ? [] : [[entry.corrects, entry]])));
  return (
    <Part title="What happened">
      {entries.length === 0 ? (
        <Nothing>Nothing yet. What is done above, and what the floor reports, stands here.</Nothing>
      ) : (
        <Steps bulletSize={14} lineWidth={2} active={entries.length}>
          {entries.map((entry) => (
            <Steps.Item key={`${entry.milestoneId} ${entry.type} ${entry.recordedAt}`} title={titleOf(entry, order, takenBack)}>
              <Entry order={order} entry={entry} />
            </Steps.Item>
          ))}
        </Steps>
      )}
    </Part>
  );
}

const isApplied = ({ outcome }: TimelineEntry): boolean => outcome === 'applied';

function titleOf(entry: TimelineEntry, order: Order, takenBack: ReadonlyMap<string, TimelineEntry>): React.ReactNode {
  const corrected = order.timeline.find(({ milestoneId, outcome }) => milestoneId === entry.corrects && outcome === 'applied');
  const what = corrected === undefined ? happened(entry.type) : `Taken back: ${happened(corrected.type).toLowerCase()}`;
  if (!isApplied(entry)) return `Refused: ${what.toLowerCase()}`;
  if (takenBack.has(entry.milestoneId))
    return (
      <>
        <s>{what}</s> (taken back later)
      </>
    );
  return what;
}

function Entry({ order, entry }: { order: Order; entry: TimelineEntry }) {
  const mayOffice = useMay('office');
  const { occurredAt, recordedAt, actor, note, reason, carried, change } = entry;
  return (
    <>
      <Text size="sm">
        <When at={occurredAt} />, by {actorInWords(actor)}
        {isLater(occurredAt, recordedAt) && (
          <>
            , told <When at={recordedAt} />
          </>
        )}
      </Text>
      {[...carriedInWords(carried, order), ...changeInWords(change)].map((words) => (
        <Text key={words} size="sm" className="wraps">
          {words}
        </Text>
      ))}
      {note !== null && <Text size="sm">Note: {note}</Text>}
      {reason !== null && <Text size="sm">Because: {reasonInWords(reason)}</Text>}
      {mayOffice && (
        <Offered value={entry.correctable}>
          <TakeBack order={order} entry={entry} isBeside />
        </Offered>
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
    ...(lines === undefined ? [] : [`It holds ${piecesInWords(lines)}`]),
    ...(amountCents === undefined ? [] : [formatMoney(amountCents, currency)]),
    ...(reference === undefined ? [] : [`Reference: ${reference}`]),
  ];
}
