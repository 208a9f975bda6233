import { ServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { CircuitBreaker, TemporalUnavailable } from '../../../src/temporal/breaker';
import { waitFor } from '../../support/wait-for';

const PROBE_TIMES = { probeAfterMs: 5, probeIntervalMs: 5 };
const neverResolves = <T>(): Promise<T> => new Promise(() => undefined);

describe('the circuit breaker of Temporal', () => {
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

  it('a slow call continues while Temporal is available', async () => {
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

  it('waiting calls fail when Temporal is unavailable, and further calls are refused without a request', async () => {
    answers = false;
    await expect(breaker.run(() => neverResolves())).rejects.toBeInstanceOf(TemporalUnavailable);
    expect(breaker.isOpen).toBe(true);
    const made = jest.fn();
    await expect(breaker.run(made)).rejects.toBeInstanceOf(TemporalUnavailable);
    expect(made).not.toHaveBeenCalled();
  });

  it('a call past its deadline, or beyond a limit of Temporal, counts as unanswered, also if the client wraps the error', async () => {
    const passed = Object.assign(new Error('4 DEADLINE_EXCEEDED'), { code: 4, details: 'Deadline exceeded', metadata: {} });
    const wrapped = new ServiceError('Failed to get Workflow execution history', { cause: passed });
    const cancelled = Object.assign(new Error('1 CANCELLED'), { code: 1, details: 'Call cancelled', metadata: {} });
    const wrappedCancelled = new ServiceError('Failed to get Workflow execution history', { cause: cancelled });
    const update = new WorkflowUpdateRPCTimeoutOrCancelledError('Call cancelled', { cause: cancelled });
    const limited = Object.assign(new Error('8 RESOURCE_EXHAUSTED'), { code: 8, details: 'limit on in-flight updates', metadata: {} });
    for (const error of [passed, wrapped, cancelled, wrappedCancelled, update, limited])
      await expect(breaker.run(() => Promise.reject(error))).rejects.toBeInstanceOf(TemporalUnavailable);
    expect(breaker.isOpen).toBe(false);
  });

  it('closes when Temporal answers again, and logs it', async () => {
    answers = false;
    const heard = jest.fn();
    breaker.onClosed(heard);
    await expect(breaker.run(() => neverResolves())).rejects.toBeInstanceOf(TemporalUnavailable);
    answers = true;
    await waitFor('closed', async () => !breaker.isOpen);
    expect(heard).toHaveBeenCalledTimes(1);
    await expect(breaker.run(async () => 'on')).resolves.toBe('on');
  });

  it('one late probe does not open it', async () => {
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

  it('a refused connection starts a probe immediately', async () => {
    answers = false;
    const refused = Object.assign(new Error('connection refused'), { code: 14, details: '', metadata: {} });
    await expect(breaker.run(() => Promise.reject(refused))).rejects.toThrow();
    await waitFor('open', async () => breaker.isOpen);
  });
});
