import { memoryField } from '../../../src/platform/process-status';

const STATUS = 'Name:\tnode\nVmRSS:\t   61204 kB\nRssAnon:\t   18432 kB\nThreads:\t11\n';

describe('memory of a process', () => {
  it('is in bytes, for any size of pages', () => {
    expect([memoryField(STATUS, 'VmRSS'), memoryField(STATUS, 'RssAnon')]).toEqual([61204 * 1024, 18432 * 1024]);
  });

  it('is null on a kernel without the field', () => {
    expect(memoryField(STATUS.replace(/RssAnon.*\n/, ''), 'RssAnon')).toBeNull();
  });
});
