import { Text } from '@mantine/core';
import { formatMoney } from '../shared/amount';
import { plural } from '../shared/words';

interface TileProps {
  label: string;
  cents: number;
  count: number;
  noun: string;
}

/** The texts of a sum. */
export function Tile({ label, cents, count, noun }: TileProps) {
  return (
    <>
      <Text size="sm">{label}</Text>
      <Text size="lg" fw={700} className="money">
        {formatMoney(cents)}
      </Text>
      <Text size="xs">{plural(count, noun)}</Text>
    </>
  );
}
