import { To } from '../../shared/to';

/** Leads to another order. */
export function OrderLink({ order, children }: { order: string; children: React.ReactNode }) {
  return (
    <To underline="always" to="/orders/$order" params={{ order }}>
      {children}
    </To>
  );
}
