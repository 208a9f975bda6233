import { Stack, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { Nothing } from '../../shared/told';
import { useTitle } from '../../shared/title';
import { About } from './About';
import { CriticalRush } from './CriticalRush';
import { Schedules } from './Schedules';
import { StudioDetails } from './StudioDetails';
import { Tokens } from './Tokens';

/** What holds for the whole studio: its details, critical rush, what runs by itself, and who may sign in. */
export function Settings() {
  useTitle('Settings');
  const isOffice = useMay('office');
  const isAdmin = useMay('admin');
  return (
    <Stack gap="xl">
      <Title order={1}>Settings</Title>
      {isOffice ? (
        <>
          <StudioDetails />
          <CriticalRush />
          <Schedules />
        </>
      ) : (
        <Nothing>The studio's settings are shown to the office. Sign in with a token of the office to see them.</Nothing>
      )}
      {isAdmin && <Tokens />}
      <About />
    </Stack>
  );
}
