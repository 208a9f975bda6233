import { To } from './To';

/** Leads to an order by its number. */
export function OrderLink({ number }: { number: string }) {
  return (
    <To to="/orders/$order" params={{ order: number }}>
      {number}
    </To>
  );
}
