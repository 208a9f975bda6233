import { learnTime, serviceNow } from '../../../packages/console/src/shared/service-clock';

describe('the time of the service', () => {
  const clock = jest.spyOn(Date, 'now');
  afterAll(() => clock.mockRestore());

  const timeAt = (browserTime: string): string => {
    clock.mockReturnValue(Date.parse(browserTime));
    return new Date(serviceNow()).toISOString();
  };
  /** A response that arrives `at` to a request sent at `requestedAt`, both on the browser's clock. */
  const receive = (date: string | null, requestedAt: string, at: string): void => {
    clock.mockReturnValue(Date.parse(at));
    learnTime(date, Date.parse(requestedAt));
  };

  it('is that of the browser until this differs from the seconds in a response, and is then corrected', () => {
    receive('Sat, 02 Jan 2027 00:00:05 GMT', '2027-01-02T00:00:05.980Z', '2027-01-02T00:00:05.990Z');
    receive('Sat, 02 Jan 2027 00:00:06 GMT', '2027-01-02T00:00:06.001Z', '2027-01-02T00:00:06.002Z');
    receive('Sat, 02 Jan 2027 00:00:09 GMT', '2027-01-02T00:00:09.500Z', '2027-01-02T00:00:59Z'); // a slow response
    expect(timeAt('2027-01-02T00:01:00.123Z')).toBe('2027-01-02T00:01:00.123Z');

    receive('Sat, 02 Jan 2027 00:02:00 GMT', '2027-01-03T00:14:59.900Z', '2027-01-03T00:15:00Z');
    expect(timeAt('2027-01-03T00:15:00Z')).toBe('2027-01-02T00:02:01.100Z');
    for (const date of [null, 'soon']) receive(date, '2027-01-03T00:15:30Z', '2027-01-03T00:15:31Z');
    expect(timeAt('2027-01-03T00:16:00Z')).toBe('2027-01-02T00:03:01.100Z');

    receive('Sat, 02 Jan 2027 00:15:00 GMT', '2027-01-02T00:14:00.100Z', '2027-01-02T00:14:00.200Z');
    expect(timeAt('2027-01-02T00:14:00.200Z')).toBe('2027-01-02T00:15:00.000Z');
  });
});
