import { Stack, Text, Title } from '@mantine/core';
import { useMay } from '../../session/session';
import { useTitle } from '../../shared/title';
import { AuditList } from './AuditList';
import { Filters } from './Filters';

/** Who did what to what, and what it was before and after. */
export function Audit() {
  useTitle('Audit');
  const may = useMay('admin');
  return (
    <Stack>
      <Title order={1} size="h2">
        Audit
      </Title>
      {may ? (
        <>
          <Filters />
          <AuditList />
        </>
      ) : (
        <Text>Who did what is shown to admins. Ask one of them, or sign in with an admin's token.</Text>
      )}
    </Stack>
  );
}
