import { todayIn } from '../../../packages/console/src/shared/local-time';
import { learnTime, serviceNow } from '../../../packages/console/src/shared/service-clock';

describe('the time of the service', () => {
  afterEach(() => learnTime(new Date().toUTCString()));

  it('is that of its last response, and goes on with the clock of the browser', () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2027-01-03T00:15:00Z'));
    learnTime('Sat, 02 Jan 2027 00:00:00 GMT');
    expect(new Date(serviceNow()).toISOString()).toBe('2027-01-02T00:00:00.000Z');
    expect(todayIn('UTC')).toBe('2027-01-02');
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2027-01-03T00:16:00Z'));
    learnTime(null);
    learnTime('soon');
    expect(new Date(serviceNow()).toISOString()).toBe('2027-01-02T00:01:00.000Z');
    jest.restoreAllMocks();
  });
});
