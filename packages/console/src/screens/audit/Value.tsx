import { When } from '../../shared/when';
import { isNone } from './changes';

/** A value of the audit log, by what its field's name says it is: cents as an amount, hundredths of a per cent, a time, yes or no. */
export function Value({ field, of: value }: { field: string; of: unknown }) {
  if (isNone(value)) return <>–</>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'number') return <span className="money">{numberWords(field, value)}</span>;
  if (typeof value === 'string') return isTime(value) ? <When at={value} /> : <>{value}</>;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return <>{value.join(', ')}</>;
  return <span className="mono">{JSON.stringify(value)}</span>;
}

function numberWords(field: string, value: number): string {
  const hundredths = new Intl.NumberFormat('en-AU', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  if (field.endsWith('Cents')) return hundredths.format(value / 100);
  if (field.endsWith('Bps')) return `${hundredths.format(value / 100)} %`;
  return value.toLocaleString('en-AU');
}

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text);
