import { useMay } from '../session/session';
import { capital } from './status';
import { To } from './to';
import { reasonInWords } from './words';

const DELIVERY = /\b(dlv_[0-9a-f]+)\b/;

/** What is told of something that needs a person; a webhook that it names leads to its attempts, for those who may look at them. */
export function Message({ of }: { of: string }) {
  const mayOffice = useMay('office');
  const words = capital(reasonInWords(of));
  const [before = '', delivery, after = ''] = words.split(DELIVERY);
  if (!mayOffice || delivery === undefined) return words;
  return (
    // One thing on a phone, where a cell sets what is in it beside each other.
    <span>
      {before}
      <To to="/deliveries/$delivery" params={{ delivery }} underline="always" c="inherit" className="mono short">
        {delivery}
      </To>
      {after}
    </span>
  );
}
