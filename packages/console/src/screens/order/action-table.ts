import type { ActionType } from './order';

interface ActionWords {
  label: string;
  happened: string;
  /** What it is about. The API takes the office's and money from the office alone, and shows the floor no money. */
  about: 'work' | 'office' | 'money';
  /** Where its button is: among the actions, in this order, or beside the parcel, payment or milestone that it is about. */
  button: 'actions' | 'apart' | 'beside';
}
/** An action that is missing here does not compile. */
export const ACTIONS: Readonly<Record<ActionType, ActionWords>> = {
  production_started: { label: 'Start production', happened: 'Production started', about: 'work', button: 'actions' },
  printed: { label: 'Mark as printed', happened: 'Printed', about: 'work', button: 'actions' },
  parcel_added: { label: 'Add a parcel', happened: 'A parcel left', about: 'work', button: 'actions' },
  completed: { label: 'Complete', happened: 'Completed', about: 'work', button: 'actions' },
  released: { label: 'Release', happened: 'Released', about: 'work', button: 'actions' },
  held: { label: 'Hold', happened: 'Put on hold', about: 'work', button: 'actions' },
  artwork_rejected: { label: 'Reject artwork', happened: 'Artwork rejected', about: 'work', button: 'beside' },
  remake: { label: 'Make again', happened: 'Made again', about: 'office', button: 'actions' },
  payment_recorded: { label: 'Record a payment', happened: 'A payment came in', about: 'money', button: 'actions' },
  credit_noted: { label: 'Write a credit note', happened: 'A credit note was written', about: 'money', button: 'actions' },
  cancelled: { label: 'Cancel the order', happened: 'Cancelled', about: 'work', button: 'apart' },
  corrected: { label: 'Take back a milestone', happened: 'Taken back', about: 'office', button: 'beside' },
  parcel_voided: { label: 'Void a parcel', happened: "A parcel's label was voided", about: 'work', button: 'beside' },
  payment_reversed: { label: 'Reverse a payment', happened: 'A payment was reversed', about: 'money', button: 'beside' },
  credit_note_reversed: { label: 'Reverse a credit note', happened: 'A credit note was reversed', about: 'money', button: 'beside' },
};
export const ACTION_TYPES = Object.keys(ACTIONS) as ActionType[];
