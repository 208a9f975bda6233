import { To } from './To';

/** Leads to another order. */
export function OrderLink({ order, children }: { order: string; children: React.ReactNode }) {
  return (
    <To to="/orders/$order" params={{ order }} inherit>
      {children}
    </To>
  );
}
