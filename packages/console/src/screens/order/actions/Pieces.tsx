import { Fieldset, Stack } from '@mantine/core';
import { LimitedNumberInput, WHOLE } from '../../../shared/number-input';
import type { JobLine, LineQuantity } from '../studio-order';

interface PieceInputsProps {
  legend: string;
  lines: readonly JobLine[];
  /** The largest quantity of each line. */
  remaining: readonly number[];
  /** The input of a line in the form. */
  inputProps: (path: `counts.${number}`) => object;
}

/** A quantity for each line of the order. */
export function PieceInputs({ legend, lines, remaining: most, inputProps }: PieceInputsProps) {
  return (
    <Fieldset legend={legend}>
      <Stack gap="xs" mah="40dvh" style={{ overflowY: 'auto' }}>
        {lines.map((line, index) => (
          <LimitedNumberInput
            // The lines of an order never change.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            label={lineLabel(line, index)}
            description={`${most[index] ?? 0} of ${line.quantity} left`}
            min={0}
            max={most[index] ?? 0}
            {...WHOLE}
            disabled={(most[index] ?? 0) === 0}
            {...inputProps(`counts.${index}`)}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

function lineLabel({ productName, words }: JobLine, index: number): string {
  const size = words.find(({ label }) => label === 'Size')?.value;
  return `Line ${index + 1}: ${[productName, size].filter((part) => part !== undefined).join(', ')}`;
}

/** The lines with a quantity, in the API's format. An empty input is ''. */
export function piecesOf(counts: readonly (number | string)[]): LineQuantity[] {
  return counts.flatMap((count, line) => (Number(count) > 0 ? [{ line, quantity: Number(count) }] : []));
}
