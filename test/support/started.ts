import { sharedService, startService, type ServiceOptions, type TestService } from './service';
import { startReceiver, type WebhookReceiver } from './webhook-receiver';

const stops: (() => unknown)[] = [];

/**
 * Starts something before the tests of this file or block and stops it after them, the last one first. Tests and later hooks read its
 * properties as if it were there from the beginning.
 */
export function useStarted<T extends object>(start: () => Promise<T>, stop: (started: T) => unknown): T {
  let started = {} as T;
  beforeAll(async () => {
    const at = stops.push(() => undefined) - 1;
    started = await start();
    stops[at] = () => stop(started);
  });
  afterAll(async () => {
    await stops.pop()?.();
  });
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(started, name) as unknown,
    set: (_, name, value) => Reflect.set(started, name, value),
    ownKeys: () => Reflect.ownKeys(started),
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(started, name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}

/** An object that the tests of this file or block share, such as a client of the service. */
export const useMade = <T extends object>(make: () => T | Promise<T>): T =>
  useStarted(
    async () => make(),
    () => undefined,
  );

/** The service that the test files of a process share (`sharedService`). */
export const useSharedService = (options?: { worker?: boolean }): TestService =>
  useStarted(
    () => sharedService(options),
    (service) => service.stop(),
  );

/** A separate service. Its options may read what was started before. */
export const useService = (options: () => ServiceOptions = () => ({})): TestService =>
  useStarted(
    () => startService(options()),
    (service) => service.stop(),
  );

export const useReceiver = (): WebhookReceiver => useStarted(startReceiver, (receiver) => receiver.close());
