/**
 * A failure of the set-up that the person at the terminal can act on: its message is printed as it is, without a
 * stack. Everything else that is thrown is our own fault and keeps its stack.
 */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
