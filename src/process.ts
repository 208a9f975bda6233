/** Resolves on the first SIGTERM or SIGINT. */
export function onTermination(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}
