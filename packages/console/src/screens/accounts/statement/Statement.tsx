import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ask, studio } from '../../../api/studio';
import type { Environment } from '../../../api/types';
import { useEnvironment } from '../../../session/environment';
import { queryOf } from '../../../shared/list';
import { Refused, Waiting } from '../../../shared/told';
import { useToday } from '../../../shared/today';
import { useAddress } from '../../../shared/address';
import { useCurrency } from '../currency';
import type { Account } from '../draft';
import { Entries } from './Entries';
import { periodsAt, type Period } from './periods';

/** What an account owed, was billed and paid, day by day. */
export function Statement({ account: { id } }: { account: Account }) {
  const [environment] = useEnvironment();
  const [{ from, to }] = useAddress();
  const currency = useCurrency(id);
  const periods = periodsAt(useToday());
  const asked = { from: from ?? periods[0]?.from, to: to ?? (from === undefined ? periods[0]?.to : undefined), environment };
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['statement', id, asked],
    queryFn: () => ask(studio.GET('/accounts/{id}/statement', { params: { path: { id }, query: asked } })),
  });
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Statement{environment === 'test' && ' of test orders'}
        </Title>
        <Documents id={id} asked={asked} />
      </Group>
      <Days asked={asked} periods={periods} />
      {isPending && <Waiting what="Reading the statement" />}
      <Refused error={error} retry={() => void refetch()} />
      {data !== undefined && error === null && <Entries statement={data} currency={currency} />}
    </Stack>
  );
}

interface Asked {
  from?: string;
  to?: string;
  environment: Environment;
}

function Documents({ id, asked }: { id: string; asked: Asked }) {
  const address = (kind: 'pdf' | 'csv') => `/studio/v1/accounts/${id}/statement.${kind}?${queryOf({ ...asked })}`;
  return (
    <Group gap="xs">
      <Button component="a" size="xs" variant="default" href={address('pdf')} target="_blank" rel="noopener">
        PDF
      </Button>
      <Button component="a" size="xs" variant="default" href={address('csv')} download>
        Export CSV
      </Button>
    </Group>
  );
}

function Days({ asked, periods }: { asked: Asked; periods: readonly Period[] }) {
  const [, change] = useAddress();
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      label={label}
      value={asked[name] ?? ''}
      onChange={(event) => change({ from: asked.from, to: asked.to, [name]: event.currentTarget.value || undefined })}
    />
  );
  return (
    <Group align="end" gap="sm">
      {day('from', 'From')}
      {day('to', 'To')}
      {periods.map(({ name, from, to }) => (
        <Button
          key={name}
          size="sm"
          variant={from === asked.from && to === asked.to ? 'filled' : 'default'}
          aria-pressed={from === asked.from && to === asked.to}
          onClick={() => change({ from, to })}
        >
          {name}
        </Button>
      ))}
      <Text size="sm" className="quiet">
        Both days are included.
      </Text>
    </Group>
  );
}
