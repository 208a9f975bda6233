import type { ActionType } from './order';

interface ActionWords {
  label: string;
  /** Title of its timeline entry. */
  past: string;
  /** The floor may do the work. The office's actions and money are for the office. */
  about: 'work' | 'office' | 'money';
  /** `header`: a button or menu item of the order. `beside`: a button beside the parcel, payment or milestone. */
  button: 'header' | 'beside';
}
/** A missing action does not compile. The order is the order of the menu. */
export const ACTIONS: Readonly<Record<ActionType, ActionWords>> = {
  production_started: { label: 'Start production', past: 'Production started', about: 'work', button: 'header' },
  printed: { label: 'Mark printed', past: 'Printed', about: 'work', button: 'header' },
  parcel_added: { label: 'Add parcel', past: 'Parcel shipped', about: 'work', button: 'header' },
  completed: { label: 'Complete', past: 'Completed', about: 'work', button: 'header' },
  released: { label: 'Release', past: 'Released', about: 'work', button: 'header' },
  held: { label: 'Hold', past: 'Put on hold', about: 'work', button: 'header' },
  artwork_rejected: { label: 'Reject artwork', past: 'Artwork rejected', about: 'work', button: 'beside' },
  remake: { label: 'Remake', past: 'Remade', about: 'office', button: 'header' },
  payment_recorded: { label: 'Record payment', past: 'Payment recorded', about: 'money', button: 'header' },
  credit_noted: { label: 'Issue credit note', past: 'Credit note issued', about: 'money', button: 'header' },
  cancelled: { label: 'Cancel order', past: 'Cancelled', about: 'work', button: 'header' },
  corrected: { label: 'Undo milestone', past: 'Undone', about: 'office', button: 'beside' },
  parcel_voided: { label: 'Void parcel', past: 'Parcel voided', about: 'work', button: 'beside' },
  payment_reversed: { label: 'Reverse payment', past: 'Payment reversed', about: 'money', button: 'beside' },
  credit_note_reversed: { label: 'Reverse credit note', past: 'Credit note reversed', about: 'money', button: 'beside' },
};
export const ACTION_TYPES = Object.keys(ACTIONS) as ActionType[];
