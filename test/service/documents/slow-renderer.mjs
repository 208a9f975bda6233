// A renderer whose start takes longer than a document may.
await new Promise((resolve) => {
  setTimeout(resolve, 1_000);
});
await import('./stuck-renderer.mjs');
