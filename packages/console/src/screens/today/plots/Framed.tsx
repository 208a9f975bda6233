import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';

interface FramedProps {
  title: string;
  period: string;
  /** What it comes to, in words. */
  sum: string;
  plot: React.ReactNode;
  /** The same as text. */
  table: React.ReactNode;
}

/** A plot with its period and its sum in words; whoever does not see it, or wants figures, has a table instead. */
export function Framed({ title, period, sum, plot, table }: FramedProps) {
  const [asTable, { toggle }] = useDisclosure(false);
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="xs">
        <div>
          <Title order={3} size="h5">
            {title}
          </Title>
          <Text size="sm">{sum}</Text>
        </div>
        <Button flex="none" size="compact-xs" variant="default" onClick={toggle} aria-pressed={asTable} aria-label={`${title} as a table`}>
          As a table
        </Button>
      </Group>
      {asTable ? (
        table
      ) : (
        <div role="img" aria-label={`${title}, ${period}: ${sum}. “As a table” has its figures.`}>
          {plot}
        </div>
      )}
    </Paper>
  );
}
