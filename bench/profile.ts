import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  timeDeltas: number[];
}

const SHOWN = 14;

/** Self time by package or source file, and by function, of every profile below `dir`. */
export function hottest(dir: string): string {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.cpuprofile'));
  return files.map((file) => describe(file, JSON.parse(readFileSync(join(dir, file), 'utf8')) as CpuProfile)).join('\n\n');
}

function describe(title: string, { nodes, samples, timeDeltas }: CpuProfile): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [byPlace, byFunction] = [new Map<string, number>(), new Map<string, number>()];
  let busyMs = 0;
  for (const [index, id] of samples.entries()) {
    const { functionName = '(idle)', url = '' } = frames.get(id) ?? {};
    if (functionName === '(idle)') continue;
    const [ms, place] = [(timeDeltas[index] ?? 0) / 1000, placeOf(url, functionName)];
    const name = `${functionName || '(anonymous)'} ${place}`;
    busyMs += ms;
    byPlace.set(place, (byPlace.get(place) ?? 0) + ms);
    byFunction.set(name, (byFunction.get(name) ?? 0) + ms);
  }
  const top = (sums: Map<string, number>): string => {
    const longest = [...sums].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN);
    return longest.map(([name, ms]) => `${((ms / busyMs) * 100).toFixed(1)} % ${name}`).join('; ');
  };
  return `${title}: ${Math.round(busyMs)} ms busy\n  by place: ${top(byPlace)}\n  by function: ${top(byFunction)}`;
}

function placeOf(url: string, functionName: string): string {
  if (functionName.startsWith('(')) return functionName;
  if (url === '') return '(native)';
  const module = url.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/.][^/]*)/)?.[1];
  return module ?? url.replace(/.*\/trade-print\/bench\//, '');
}
