import { defaultPayloadConverter, type Payload, type PayloadConverter } from '@temporalio/common';

/**
 * The default converter, except that a payload that cannot be decoded becomes a value that every handler refuses. With the default, one
 * broken signal fails all later tasks of the workflow (https://github.com/temporalio/sdk-typescript/issues/1139).
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value: unknown): Payload => defaultPayloadConverter.toPayload(value),
  fromPayload<T>(payload: Payload): T {
    try {
      return defaultPayloadConverter.fromPayload<T>(payload);
    } catch {
      return { unreadable: 'the payload could not be decoded' } as T;
    }
  },
};
