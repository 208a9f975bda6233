import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../scripts/start/project';
import { runInNode } from './in-node';

describe('The lock of a set-up', () => {
  it('lets one set-up at a time change a checkout, and the others print that they wait', async () => {
    const { result, said } = await runInNode(
      `const { withLock } = await lib('lock.mjs');
       const steps = [];
       const work = (name) => withLock(async () => { steps.push(name); await new Promise(setImmediate); steps.push(name); });
       await Promise.all(['one', 'two', 'three'].map(work));
       return steps.filter((name, index) => name !== steps[index - index % 2]);`,
      {},
    );
    expect(result).toEqual([]);
    expect(said).toContain('waiting for another set-up of this project');
  });

  it('has a limited waiting time, and the failure names its holder', async () => {
    const { error } = await runInNode(
      `const { withLock } = await lib('lock.mjs');
       return withLock(() => withLock(async () => 'both', 0));`,
      {},
    );
    expect(error).toMatch(/^another set-up of this project, or another program, uses (@trade-print-set-up-|port \d+ of)/);
  });

  it('is free when its holder is killed', async () => {
    const lock = pathToFileURL(join(projectRoot, 'scripts', 'set-up', 'lock.mjs')).href;
    const script = `const { withLock } = await import('${lock}');
      await withLock(() => new Promise(() => { console.log('taken'); setInterval(() => {}, 1000); }));`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    holder.kill('SIGKILL');
    await once(holder, 'close');
    expect(await runInNode(`return (await lib('lock.mjs')).withLock(async () => 'free')`, {})).toMatchObject({ result: 'free' });
  });
});
