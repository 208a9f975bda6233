import { Group, Stack, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { Keys } from '../../shared/keys';
import { useTitle } from '../../shared/title';
import { Attention } from './Attention';
import { Credit } from './Credit';
import { Deliveries } from './Deliveries';
import { DueSoon } from './DueSoon';
import { Endpoints } from './Endpoints';
import { Late } from './Late';
import { Plots } from './plots/Plots';

/** How a day begins: what needs a person first, then what is due, then, for the office, what may become a problem and how it goes. */
export function Today() {
  useTitle('Today');
  const mayOffice = useMay('office');
  return (
    <Stack gap="xl">
      <Group justify="space-between">
        <Title order={1}>Today</Title>
        <Keys />
      </Group>
      <Attention />
      <Late />
      <DueSoon />
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
