import { Box } from '@mantine/core';
import type { JobLine } from './studio-order';

/** Whether the shapes of picture and print differ visibly. */
export const differsInShape = ({ inspection }: JobLine): boolean => inspection?.warnings.includes('ARTWORK_SHAPE_DIFFERS') ?? false;

/**
 * The proportions of the print in the direction of the picture, and the share of the picture that fits the print along each axis. Null if
 * they are unknown.
 */
function proportionsOf({ inspection, placement }: JobLine): { print: number; across: number; down: number } | null {
  const { widthPx = null, heightPx = null } = inspection ?? {};
  if (placement === null || widthPx === null || heightPx === null) return null;
  const { widthMm, heightMm, isTurned } = placement;
  const print = isTurned ? heightMm / widthMm : widthMm / heightMm;
  const picture = widthPx / heightPx;
  return { print, across: Math.min(1, print / picture), down: Math.min(1, picture / print) };
}

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

interface PlacedProps {
  line: JobLine;
  /** Shows another choice than the line's. */
  fit?: 'fill' | 'fit';
  /** The width of a print with margins, in CSS; `ratio` is its width ÷ height. */
  width?: (ratio: number) => string;
  /** The picture. */
  children: React.ReactNode;
}

/** Draws what is cropped off a picture, or its white margins. */
export function Placed({ line, fit, width = () => '100%', children }: PlacedProps) {
  const shown = fit ?? line.placement?.fit ?? null;
  const proportions = differsInShape(line) ? proportionsOf(line) : null;
  if (shown === null || proportions === null) return children;
  const { print, across, down } = proportions;
  if (shown === 'fill')
    return (
      <Box className="placed" role="img" aria-label="Cropped to the size" maw="100%">
        {children}
        <Box className="crop" style={{ inset: `${percent((1 - down) / 2)} ${percent((1 - across) / 2)}` }} />
      </Box>
    );
  // The margins of a picture that is too wide are above and below.
  return (
    <Box
      className="placed margins"
      role="img"
      aria-label="With white margins"
      style={{ aspectRatio: print, width: width(print) }}
      maw="100%"
    >
      <Box pos="absolute" style={{ inset: `${percent((1 - across) / 2)} ${percent((1 - down) / 2)}` }}>
        {children}
      </Box>
    </Box>
  );
}
