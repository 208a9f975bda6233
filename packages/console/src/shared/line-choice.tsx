import { Chip, Group, Text } from '@mantine/core';
import type { Schema } from '../api/studio';

interface LineChoiceProps {
  /** The lines that have not reached the stage, from 0. */
  lines: readonly number[];
  jobLines: Schema<'StudioOrder'>['job']['lines'];
  /** The chosen lines; none means all. */
  chosen: readonly number[];
  onChange: (chosen: number[]) => void;
}

/** Chooses the lines that are done. Nothing is shown if only one line is left. */
export function LineChoice({ lines, jobLines, chosen, onChange }: LineChoiceProps) {
  if (lines.length < 2) return null;
  return (
    <Group gap={6} role="group" aria-label="Lines" mah="30dvh" style={{ overflowY: 'auto' }}>
      <Chip.Group multiple value={chosen.map(String)} onChange={(values) => onChange(values.map(Number).toSorted((a, b) => a - b))}>
        {lines.map((line) => (
          <Chip key={line} value={String(line)} title={jobLines[line]?.productName}>
            Line {line + 1}
          </Chip>
        ))}
      </Chip.Group>
      <Text size="sm">{chosen.length === 0 ? 'All lines' : `${chosen.length} of ${lines.length} lines`}</Text>
    </Group>
  );
}
