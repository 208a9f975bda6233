import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const SHOWN = 14;

/** Self time by package or source folder, and by function, of every profile below `dir` (one folder per process). */
export function hottest(dir: string): string {
  return readdirSync(dir)
    .flatMap((name) => {
      const files = readdirSync(join(dir, name)).filter((file) => file.endsWith('.cpuprofile'));
      return files.map((file) =>
        describe(
          `${name} ${file.split('.').slice(-3, -1).join('.')}`,
          JSON.parse(readFileSync(join(dir, name, file), 'utf8')) as CpuProfile,
        ),
      );
    })
    .join('\n\n');
}

function describe(title: string, { nodes, samples, timeDeltas }: CpuProfile): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [byPlace, byFunction] = [new Map<string, number>(), new Map<string, number>()];
  let busyMs = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    if (frame === undefined || frame.functionName === '(idle)') continue;
    const ms = (timeDeltas[index] ?? 0) / 1000;
    busyMs += ms;
    const place = placeOf(frame.url, frame.functionName);
    byPlace.set(place, (byPlace.get(place) ?? 0) + ms);
    const name = `${frame.functionName || '(anonymous)'} ${place}`;
    byFunction.set(name, (byFunction.get(name) ?? 0) + ms);
  }
  const top = (sums: Map<string, number>): string =>
    [...sums]
      .sort(([, a], [, b]) => b - a)
      .slice(0, SHOWN)
      .map(([name, ms]) => `${((ms / busyMs) * 100).toFixed(1)} % ${name}`)
      .join('; ');
  return `${title}: ${Math.round(busyMs)} ms busy\n  by place: ${top(byPlace)}\n  by function: ${top(byFunction)}`;
}

function placeOf(url: string, functionName: string): string {
  if (functionName.startsWith('(')) return functionName;
  if (url === '') return '(native)';
  if (url.startsWith('node:')) return url;
  const module = url.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/.][^/]*)/)?.[1];
  return module ?? url.replace(/.*\/trade-print\/bench\//, '');
}
