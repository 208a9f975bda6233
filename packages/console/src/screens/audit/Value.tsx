import { When } from '../../shared/when';
import { errorWords } from '../../endpoints/words';
import { wordsOf } from '../../shared/status';
import { ShortId } from './ShortId';
import { isNone } from './changes';

/** Fields whose values are one of a few, such as `in_production`. */
const STATES = /(status|state|type|role|needed|environment)$/i;

/** A value of the audit log, by what its field's name says it is: cents as an amount, hundredths of a per cent, a time, yes or no. */
export function Value({ field, of: value }: { field: string; of: unknown }) {
  if (isNone(value)) return <>–</>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'number') return <span className="money">{numberWords(field, value)}</span>;
  if (typeof value === 'string') return <Words field={field} of={value} />;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return <>{value.join(', ')}</>;
  if (Array.isArray(value) && value.length > 0 && value.every(isPieces)) return <>{value.map(piecesInWords).join(', ')}</>;
  return <span className="mono">{JSON.stringify(value)}</span>;
}

interface Pieces {
  line: number;
  quantity: number;
}

/** Of a parcel or a remake; people count lines from one. */
function isPieces(value: unknown): value is Pieces {
  return typeof value === 'object' && value !== null && 'line' in value && 'quantity' in value && Object.keys(value).length === 2;
}
const piecesInWords = ({ line, quantity }: Pieces): string => `${quantity} of line ${line + 1}`;

function Words({ field, of: text }: { field: string; of: string }) {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) return <When at={text} />;
  if (/^[a-z]{2,5}_[0-9a-f]{8,}$/.test(text)) return <ShortId id={text} />;
  if (field.endsWith('errorCode')) return <>{errorWords(text)}</>;
  return <>{STATES.test(field) ? wordsOf(text) : text}</>;
}

function numberWords(field: string, value: number): string {
  const hundredths = new Intl.NumberFormat('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  if (field.endsWith('Cents')) return hundredths.format(value / 100);
  if (field.endsWith('Bps')) return `${hundredths.format(value / 100)} %`;
  return value.toLocaleString('en-AU');
}
