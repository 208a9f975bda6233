import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../src/dev/project';
import { workflowBundlePath } from '../support/infrastructure';

/** What may run in the workflow sandbox: ours that is deterministic, and what the SDK brings along. */
const ALLOWED = [
  /^workflows\//, /^src\/domain\//,
  /^node_modules\/@temporalio\/(workflow|common)\//, /^node_modules\/(nexus-rpc|ms|long)\//,
  /^webpack\//, /^ignored\|node_modules\/@temporalio\/workflow\/lib\|__temporal_custom_(failure|payload)_converter$/,
];
/** A value import of database code adds seven megabytes, and nothing else would say so. */
const LARGEST_BYTES = 2_500_000;

/** The modules of a bundle as its source map names them, below the project's folder. */
function modulesOf(bundle: string): string[] {
  const [, encoded] = /sourceMappingURL=data:application\/json[^,]*,([A-Za-z0-9+/=]+)/.exec(bundle) ?? [];
  const { sources } = JSON.parse(Buffer.from(encoded ?? '', 'base64').toString('utf8')) as { sources: string[] };
  return sources.map((source) => source.replace(`${projectRoot}${path.sep}`, ''));
}

describe('the workflow bundle', () => {
  const bundle = readFileSync(workflowBundlePath(), 'utf8');

  it('holds workflows, the domain and Temporal\'s own, nothing else', () => {
    const modules = modulesOf(bundle);
    expect(modules).toEqual(expect.arrayContaining(['workflows/order.ts', 'workflows/quote-hold.ts', 'src/domain/order-status.ts']));
    expect(modules.filter((name) => !ALLOWED.some((allowed) => allowed.test(name)))).toEqual([]);
  });

  it('stays small', () => {
    expect(bundle.length).toBeGreaterThan(500_000);
    expect(bundle.length).toBeLessThan(LARGEST_BYTES);
  });
});
