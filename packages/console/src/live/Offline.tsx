import { Alert } from '@mantine/core';
import { useConnection } from './live';

export function Offline() {
  if (useConnection() !== 'offline') return null;
  return (
    <Alert color="red" mb="md" role="alert" title="Offline">
      This computer has no network, so nothing is sent. What you see may be old.
    </Alert>
  );
}
