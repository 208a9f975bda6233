import { renameSync, writeFileSync } from 'node:fs';

/**
 * Loaded before a process of the service (`--require`, with `--expose-gc`): on SIGUSR2 it collects its garbage and writes what memory
 * it holds to the file BENCH_MEMORY_FILE.
 */
process.on('SIGUSR2', () => {
  const collect = (globalThis as { gc?: () => void }).gc;
  collect?.();
  setTimeout(() => {
    collect?.();
    const file = process.env['BENCH_MEMORY_FILE'] ?? '';
    writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
    renameSync(`${file}.new`, file);
  }, 300);
});
