import { Group, Stack, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { Keys } from '../../shared/keys';
import { HolidaysNotice, UntoldNotice } from '../../shared/settings';
import { useTitle } from '../../shared/title';
import { useToday } from '../../shared/today';
import { Attention } from './Attention';
import { Credit } from './Credit';
import { Late, SentInPart, ToBeMade } from './Orders';
import { Plots } from './Plots';
import { Deliveries, Endpoints } from './Webhooks';

/**
 * How a day begins: what needs a person first, then what is late and what is to be made, then, for the office, what may become a problem
 * and how it goes.
 */
export function Today() {
  useTitle('Today');
  const mayOffice = useMay('office');
  useToday();
  return (
    <Stack gap="xl">
      <Group justify="space-between">
        <Title order={1}>Today</Title>
        <Keys />
      </Group>
      {mayOffice && <UntoldNotice />}
      {mayOffice && <HolidaysNotice />}
      <Attention />
      <Late />
      <ToBeMade />
      <SentInPart />
      {mayOffice && (
        <>
          <Endpoints />
          <Deliveries />
          <Credit />
          <Plots />
        </>
      )}
    </Stack>
  );
}
