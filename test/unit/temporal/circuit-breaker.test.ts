import { ServiceError } from '@temporalio/client';
import { CircuitBreaker, TemporalUnavailable } from '../../../src/temporal/breaker';
import { waitFor } from '../../support/wait-for';

const PROBE_TIMES = { probeAfterMs: 5, probeIntervalMs: 5 };
const neverResolves = <T>(): Promise<T> => new Promise(() => undefined);

describe('the breaker to Temporal', () => {
  let answers: boolean;
  let probes: number;
  let breaker: CircuitBreaker;
  beforeEach(() => {
    answers = true;
    probes = 0;
    breaker = new CircuitBreaker(async () => {
      probes += 1;
      if (!answers) throw new Error('no answer');
    }, PROBE_TIMES);
  });
  afterEach(() => breaker.close());

  it('a call that is slow for reasons of its own goes on', async () => {
    let answer: (text: string) => void = () => undefined;
    const slow = breaker.run(
      () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
    );
    await waitFor('a probe', async () => probes > 0);
    expect(breaker.isOpen).toBe(false);
    answer('late');
    await expect(slow).resolves.toBe('late');
  });

  it('calls that wait are let go once it is found to be away, and further ones are refused without being made', async () => {
    answers = false;
    await expect(breaker.run(() => neverResolves())).rejects.toBeInstanceOf(TemporalUnavailable);
    expect(breaker.isOpen).toBe(true);
    const made = jest.fn();
    await expect(breaker.run(made)).rejects.toBeInstanceOf(TemporalUnavailable);
    expect(made).not.toHaveBeenCalled();
  });

  it('a call whose deadline passed is one that nobody answered, also where the client wraps the error', async () => {
    const passed = Object.assign(new Error('4 DEADLINE_EXCEEDED'), { code: 4, details: 'Deadline exceeded', metadata: {} });
    const wrapped = new ServiceError('Failed to get Workflow execution history', { cause: passed });
    for (const error of [passed, wrapped])
      await expect(breaker.run(() => Promise.reject(error))).rejects.toBeInstanceOf(TemporalUnavailable);
    expect(breaker.isOpen).toBe(false);
  });

  it('closes by itself when it answers again, and says so', async () => {
    answers = false;
    const heard = jest.fn();
    breaker.onClosed(heard);
    await expect(breaker.run(() => neverResolves())).rejects.toBeInstanceOf(TemporalUnavailable);
    answers = true;
    await waitFor('closed', async () => !breaker.isOpen);
    expect(heard).toHaveBeenCalledTimes(1);
    await expect(breaker.run(async () => 'on')).resolves.toBe('on');
  });

  it('one probe that is late is no absence', async () => {
    let first = true;
    const patient = new CircuitBreaker(async () => {
      if (first) {
        first = false;
        throw new Error('late');
      }
    }, PROBE_TIMES);
    patient.check();
    await waitFor('the second probe', async () => !first);
    await expect(patient.run(async () => 'on')).resolves.toBe('on');
    expect(patient.isOpen).toBe(false);
    patient.close();
  });

  it('a refused connection is looked into at once', async () => {
    answers = false;
    const refused = Object.assign(new Error('connection refused'), { code: 14, details: '', metadata: {} });
    await expect(breaker.run(() => Promise.reject(refused))).rejects.toThrow();
    await waitFor('open', async () => breaker.isOpen);
  });
});
