/**
 * A failure that the user can correct. Its message is printed without a stack. Other errors are bugs and are printed with their stack.
 */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
