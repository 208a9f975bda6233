import { Accordion, Badge, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { EmptyState, ErrorAlert, Loading } from '../../shared/feedback';
import { Panel } from '../../shared/layout';
import { useSearchParams } from '../../shared/search-params';
import { Time } from '../../shared/time';
import { type Cause, useCauses } from './causes';

/** The problems of the day, one row for each cause. The URL has the open row, so that it can be sent. */
export function AttentionList() {
  const navigate = useNavigate();
  const [{ code }] = useSearchParams();
  const { causes, isLoading, error, retry } = useCauses();
  const open = (opened: string | null): void =>
    void navigate({ to: '/', search: { code: opened ?? undefined }, replace: true, resetScroll: false });
  return (
    <Panel title="Needs attention">
      {isLoading && <Loading what="Loading" />}
      <ErrorAlert error={error} retry={retry} />
      {!isLoading && error === null && causes.length === 0 && <EmptyState>Nothing needs attention.</EmptyState>}
      <Accordion order={3} value={code ?? null} onChange={open} chevronPosition="left">
        {causes.map((cause) => (
          <CauseRow key={cause.key} cause={cause} isOpen={code === cause.key} />
        ))}
      </Accordion>
    </Panel>
  );
}

function CauseRow({ cause: { key, title, advice, count, since, action, rows }, isOpen }: { cause: Cause; isOpen: boolean }) {
  return (
    <Accordion.Item value={key}>
      <Group wrap="nowrap" gap="sm">
        <Accordion.Control miw={0} px={0} py={0}>
          <Group gap="sm" wrap="nowrap">
            <Text fw={500} size="sm">
              {title}
            </Text>
            <Badge variant="light" tt="none" flex="none">
              {count}
            </Badge>
            {since !== undefined && (
              <Text size="xs" c="dimmed" visibleFrom="sm">
                since <Time at={since} />
              </Text>
            )}
          </Group>
        </Accordion.Control>
        {action}
      </Group>
      <Accordion.Panel>
        {isOpen && (
          <>
            <Text size="sm" c="dimmed" mb="xs">
              {advice}
            </Text>
            <Suspense fallback={<Loading what="Loading" />}>{rows()}</Suspense>
          </>
        )}
      </Accordion.Panel>
    </Accordion.Item>
  );
}
