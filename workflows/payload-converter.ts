import { defaultPayloadConverter, type Payload, type PayloadConverter } from '@temporalio/common';

/**
 * The default converter, except that a payload nobody can read becomes a value that every handler refuses. Without it one
 * broken signal would fail the workflow's tasks for ever (https://github.com/temporalio/sdk-typescript/issues/1139): a signal that cannot
 * be applied is recorded, never a failing workflow.
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
