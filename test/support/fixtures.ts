import { openDatabase, type Database, type SessionTimeouts } from '../../src/db/database';
import { createDatabase, type TestDatabase } from './database';
import { sharedService, startService, type ServiceOptions, type TestService } from './service';
import { startMailServer, type MailServer } from './smtp-server';
import { startReceiver, type WebhookReceiver } from './webhook-receiver';

/** Jest runs each `afterAll` in the order of definition. Each pops the last entry, so what started last stops first. */
const stops: (() => unknown)[] = [];

/**
 * Creates something before the tests of this file or block and stops it after them, the last one first. Tests and later hooks read its
 * properties as if it were there from the beginning.
 */
export function useFixture<T extends object>(create: () => T | Promise<T>, stop: (created: T) => unknown = () => undefined): T {
  let created = {} as T;
  beforeAll(async () => {
    const at = stops.push(() => undefined) - 1;
    created = await create();
    stops[at] = () => stop(created);
  });
  afterAll(async () => {
    await stops.pop()?.();
  });
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(created, name) as unknown,
    set: (_, name, value) => Reflect.set(created, name, value),
    ownKeys: () => Reflect.ownKeys(created),
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(created, name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}

/** The service that the test files of a process share (`sharedService`). */
export const useSharedService = (options?: { worker?: boolean }): TestService =>
  useFixture(
    () => sharedService(options),
    (service) => service.stop(),
  );

/** A separate service. Its options may read what was started before. */
export const useService = (options: () => ServiceOptions = () => ({})): TestService =>
  useFixture(
    () => startService(options()),
    (service) => service.stop(),
  );

export const useReceiver = (): WebhookReceiver => useFixture(startReceiver, (receiver) => receiver.close());

/** A separate database (`createDatabase`) and connections to it. */
export function useDatabase(
  poolSize = 1,
  options: { empty?: boolean; timeouts?: SessionTimeouts } = {},
): { own: TestDatabase; database: Database } {
  const own = useFixture(
    () => createDatabase(options),
    (created) => created.drop(),
  );
  const database = useFixture(
    () => openDatabase(own.url, poolSize, options.timeouts),
    (opened) => opened.close(),
  );
  return { own, database };
}

/** A mail server. Before each test it forgets its mails and the replies that were set. */
export function useMailServer(): MailServer {
  const mail = useFixture(startMailServer, (server) => server.stop());
  beforeEach(() => mail.forget());
  return mail;
}
