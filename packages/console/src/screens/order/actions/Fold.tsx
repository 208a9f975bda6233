import { Collapse, Stack, UnstyledButton } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';

/** What one seldom needs, folded away. */
export function Fold({ label, children }: { label: string; children: React.ReactNode }) {
  const [opened, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <Stack gap="xs" align="stretch">
      <UnstyledButton fz="sm" td="underline" onClick={toggle} aria-expanded={opened} aria-controls={id} w="fit-content">
        {opened ? '▾' : '▸'} {label}
      </UnstyledButton>
      <Collapse expanded={opened} id={id}>
        {children}
      </Collapse>
    </Stack>
  );
}
