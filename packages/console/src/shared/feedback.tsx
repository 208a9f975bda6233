import { Alert, Button, Group, List, Loader, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Refusal, isAboutSession, type Issue } from '../api/refusal';
import { ownValue } from './own-value';

interface ErrorAlertProps {
  error: unknown;
  retry?: () => void;
  /** Shown if the request may have been processed. */
  uncertain?: string;
  /** Labels of the API's fields. */
  labels?: Readonly<Record<string, string>>;
}

export function ErrorAlert({ error, retry, uncertain, labels = {} }: ErrorAlertProps) {
  if (error === null || error === undefined) return null;
  const issues = error instanceof Refusal ? error.issues : [];
  return (
    <Alert color="red" role="alert" title={titleOf(error)}>
      {!isListed(error, issues) && (
        <Text size="sm">{error instanceof Error ? error.message : 'Something went wrong in the page itself; load it again.'}</Text>
      )}
      {uncertain !== undefined && error instanceof Refusal && error.isUncertain && <Text size="sm">{uncertain}</Text>}
      {issues.length > 0 && (
        <List size="sm">
          {issues.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              {ownValue(labels, path) ?? path}: {message}
            </List.Item>
          ))}
        </List>
      )}
      <Group mt="xs" gap="sm">
        {error instanceof Refusal && !isAboutSession(error) && <Text size="xs">{error.code}</Text>}
        {retry !== undefined && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function titleOf(error: unknown): string {
  if (error instanceof Refusal && error.status === 0) return 'No answer';
  return isAboutSession(error) ? 'Signed out' : 'That was refused';
}

function isListed(error: unknown, [first]: readonly Issue[]): boolean {
  return first !== undefined && error instanceof Refusal && error.message.startsWith(`${first.path}: ${first.message}`);
}

/** In place of a part of the page whose code cannot be loaded, because the network is away or the console was updated. */
export function NotLoaded() {
  return (
    <Text size="sm" p="md" role="alert">
      This part could not be loaded. Check the connection, then load the page again.
    </Text>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <Group gap="xs" role="status" p="md">
      <Loader size="sm" />
      <Text size="sm">{what} …</Text>
    </Group>
  );
}

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** Shown while it loads, such as `Loading the invoice`. */
  what: string;
  children: (data: T) => React.ReactNode;
}

/** Shows the data of a query, or that it loads. An error appears above older data. */
export function Loaded<T>({ query: { data, error, refetch }, what, children }: LoadedProps<T>) {
  if (data === undefined && error === null) return <Loading what={what} />;
  return (
    <>
      <ErrorAlert error={error} retry={() => void refetch()} />
      {data !== undefined && children(data)}
    </>
  );
}

export function EmptyState({ children }: { children: React.ReactNode }) {
  return (
    <Text p="md" className="quiet">
      {children}
    </Text>
  );
}
