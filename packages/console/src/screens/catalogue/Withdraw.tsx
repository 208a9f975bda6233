import { ask, studio } from '../../api/studio';
import { Action } from '../../shared/action';
import { idOf, isWithdrawn, nameOf, type Row } from './rows';
import type { Section } from './sections';

const AWAY = [
  'New quotes with it are refused at once, and the refusal names what could be taken instead. Clients see it go from the catalogue at most a minute from now.',
  'Quotes that were given stay valid until they expire, and can still be ordered.',
  'Orders are not touched: what was ordered is made. No client is told by itself.',
];
const BACK = ['New quotes with it are priced again at once. Clients see it in the catalogue at most a minute from now.'];

/** Takes a row off the offer, or offers it again. */
export function Withdraw({ section, row }: { section: Section; row: Row }) {
  const withdrawn = !isWithdrawn(row);
  const id = idOf(section, row);
  const name = nameOf(section, row);
  const path = { section, id };
  return (
    <Action
      label={withdrawn ? 'Withdraw' : 'Offer again'}
      to={name}
      title={withdrawn ? `Withdraw ${name}` : `Offer ${name} again`}
      says={withdrawn ? AWAY : BACK}
      repeats="safely"
      run={() => ask(studio.PATCH('/catalogue/{section}/{id}', { params: { path }, body: { withdrawn } }))}
      done={() => (withdrawn ? `${name} is withdrawn` : `${name} is on offer again`)}
    />
  );
}
