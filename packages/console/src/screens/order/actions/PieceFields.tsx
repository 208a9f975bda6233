import { Fieldset, NumberInput, Stack } from '@mantine/core';
import type { JobLine, Pieces } from '../order';

interface PieceFieldsProps {
  legend: string;
  lines: readonly JobLine[];
  /** At most so many of each line. */
  most: readonly number[];
  counts: readonly number[];
  set: (counts: number[]) => void;
}

/** How many pieces of each line; never more than there may be. */
export function PieceFields({ legend, lines, most, counts, set }: PieceFieldsProps) {
  return (
    <Fieldset legend={legend}>
      <Stack gap="xs" mah="40dvh" className="scrolls">
        {lines.map((line, at) => (
          <NumberInput
            // Lines of an order neither move nor go away.
            // oxlint-disable-next-line react/no-array-index-key
            key={at}
            label={lineInShort(line, at)}
            description={`at most ${most[at] ?? 0} of ${line.quantity}`}
            min={0}
            max={most[at] ?? 0}
            clampBehavior="strict"
            allowDecimal={false}
            allowNegative={false}
            disabled={(most[at] ?? 0) === 0}
            value={counts[at] ?? 0}
            onChange={(value) => set(counts.map((count, other) => (other === at ? Number(value) || 0 : count)))}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

/** `Line 1: Fine art print, 300 mm wide × 400 mm high`. */
function lineInShort({ productName, words }: JobLine, at: number): string {
  const size = words.find(({ label }) => label === 'Size')?.value;
  return `Line ${at + 1}: ${[productName, size].filter((part) => part !== undefined).join(', ')}`;
}

/** As the API takes them: lines from zero, those of which there are any. */
export function piecesOf(counts: readonly number[]): Pieces[] {
  return counts.flatMap((quantity, line) => (quantity > 0 ? [{ line, quantity }] : []));
}
