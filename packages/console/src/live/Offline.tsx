import { Alert } from '@mantine/core';
import { useConnection } from './live';

export function Offline() {
  if (useConnection() !== 'offline') return null;
  return (
    <Alert color="red" mb="md" role="alert" title="Offline">
      No network. Nothing is sent, and this page may be outdated.
    </Alert>
  );
}
