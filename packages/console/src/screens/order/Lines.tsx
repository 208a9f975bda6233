import {
  Alert,
  Anchor,
  Badge,
  type BoxProps,
  Button,
  Center,
  Group,
  Image,
  Stack,
  Text,
  type TextProps,
  Title,
  UnstyledButton,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { isInspectionDue } from '../../api/reads';
import { callApi, studio } from '../../api/studio';
import { useHasRole } from '../../session/session';
import { Action, ActionButtons } from '../../shared/action';
import { Dialog } from '../../shared/dialog';
import { formatMoney } from '../../shared/amount';
import { FactList, type Facts, Panel } from '../../shared/layout';
import { Day } from '../../shared/time';
import { previewUrl } from '../../shared/orders';
import { statusLabel } from '../../shared/words';
import { ChooseFit } from './actions/ChooseFit';
import { Milestone } from './actions/Milestone';
import { actionOf, isOpen, type JobLine, type Order } from './studio-order';
import { differsInShape, Placed } from './Placed';
import { lineName, missingPictureReason } from './words';

export function Lines({ order }: { order: Order }) {
  return (
    <Panel
      title="Items"
      beside={
        <Group gap="sm">
          {order.job.lines.some(({ artworkReceived }) => artworkReceived === true) && (
            <Anchor size="sm" href={`/studio/v1/orders/${order.orderNumber}/artwork.zip`} download>
              Download artwork (ZIP)
            </Anchor>
          )}
          <Anchor size="sm" href={`/studio/v1/orders/${order.orderNumber}/job-sheet.pdf`} target="_blank">
            Job sheet (PDF)
          </Anchor>
        </Group>
      }
    >
      <Stack gap="lg">
        {order.job.lines.map((line, index) => (
          // The lines of an order never change.
          // oxlint-disable-next-line react/no-array-index-key
          <Line key={index} order={order} line={line} index={index} />
        ))}
      </Stack>
    </Panel>
  );
}

interface LineProps {
  order: Order;
  line: JobLine;
  index: number;
}

function Line({ order, line, index }: LineProps) {
  const isOffice = useHasRole('office');
  const isPrinted = line.stages.includes('printed');
  return (
    <Group align="flex-start" gap="md" component="article" aria-label={lineName(index)}>
      <Picture order={order} line={line} index={index} w={160} />
      <Stack gap={4} flex={1} miw={220}>
        <Title order={3} size="h5">
          {`${lineName(index)}: ${line.quantity} × ${line.productName}`}
        </Title>
        <OutOfStock line={line} />
        <FactList
          facts={{
            ...Object.fromEntries(line.words.map(({ label, value }) => [label, value])),
            Stage: line.stages.length > 0 && line.stages.map(statusLabel).join(', '),
            ...artworkFacts(line),
            'Client reference': line.externalReference ?? false,
            Price: priceOf(order, index, isOffice),
          }}
        />
        <Group gap="xs">
          {line.artworkReceived === true && (
            <Button
              component="a"
              href={`/studio/v1/orders/${order.orderNumber}/lines/${index}/artwork`}
              download
              variant="default"
              size="compact-xs"
              aria-label={`Download artwork of ${lineName(index).toLowerCase()}`}
            >
              Download artwork
            </Button>
          )}
          <ActionButtons shown={isOpen(actionOf(order, 'artwork_rejected')) && !isPrinted && line.artworkUrl !== null}>
            <Milestone order={order} type="artwork_rejected" line={index} button={{ size: 'compact-xs', w: 'fit-content' }} />
          </ActionButtons>
          <ActionButtons shown={isOffice && !isPrinted && differsInShape(line) && isOpen(actionOf(order, 'artwork_fitted'))}>
            <ChooseFit key={line.uploadId} order={order} line={line} index={index} />
          </ActionButtons>
          <InspectAgain order={order} line={line} index={index} />
        </Group>
      </Stack>
    </Group>
  );
}

/** The materials of a line that the studio waits for. */
function OutOfStock({ line: { outOfStock } }: { line: JobLine }) {
  return outOfStock.map(({ section, id, name, until }) => (
    <Alert key={`${section}/${id}`} color="orange" p="xs" role="note">
      {name} is out of stock until <Day day={until} />
    </Alert>
  ));
}

/** For the office, if the picture has no preview. */
function InspectAgain({ order, line: { artworkReceived, inspection }, index }: LineProps) {
  const isOffice = useHasRole('office');
  const isDue = isInspectionDue(inspection);
  const name = lineName(index).toLowerCase();
  return (
    <>
      {inspection !== null && isDue && <Text size="xs">Inspecting again</Text>}
      <ActionButtons shown={isOffice && artworkReceived !== false && !isDue && inspection?.state !== 'ok'}>
        <Action
          label="Inspect again"
          target={`the artwork of ${name}`}
          title={`Inspect the artwork of ${name} again`}
          consequences={[
            'The new result replaces the preview and the attention about this file, on all orders that use it.',
            'The client is not notified.',
          ]}
          retry="safe"
          run={() => callApi(studio.POST('/orders/{id}/lines/{n}/inspect', { params: { path: { id: order.orderId, n: index } } }))}
          toast={() => `${order.orderNumber}: inspecting the artwork of ${name}`}
          button={{ size: 'compact-xs', w: 'fit-content' }}
        />
      </ActionButtons>
    </>
  );
}

function artworkFacts(line: JobLine): Facts {
  const { artworkUrl, artworkFilename, artworkReceived, inspection } = line;
  if (artworkUrl === null) return { Artwork: 'None' };
  const { widthPx, heightPx, effectiveDpi = null, notes = [] } = inspection ?? {};
  return {
    Artwork: (
      <Group gap="xs">
        <Anchor href={artworkUrl} target="_blank" rel="noreferrer" inherit underline="always" className="wraps">
          {artworkFilename ?? 'Open the file'}
        </Anchor>
        {effectiveDpi !== null && <DpiBadge dpi={effectiveDpi} />}
        {artworkReceived === false && <Badge color="yellow" variant="light" tt="none">Not uploaded</Badge>}
      </Group>
    ), // prettier-ignore
    File:
      (inspection !== null && [widthPx ? `${widthPx} × ${heightPx} px` : null, formatOf(inspection)].filter(Boolean).join(', ')) || false,
    'File notes': notes.length > 0 && <ArtworkNotes line={line} inherit />,
  };
}

/** Below the minimum, the service raises attention. */
const MIN_DPI = 150;
const GOOD_DPI = 200;

function DpiBadge({ dpi }: { dpi: number }) {
  const [color, note] = dpi < MIN_DPI ? ['red', ' · too low'] : dpi < GOOD_DPI ? ['yellow', ' · low'] : ['green', ''];
  return (
    <Badge color={color} variant="light" tt="none" c="inherit" title={`Minimum ${MIN_DPI} dpi, recommended ${GOOD_DPI} dpi`}>
      {dpi} dpi{note}
    </Badge>
  );
}

function formatOf({ mediaType, colourSpace, hasProfile, hasAlpha }: NonNullable<JobLine['inspection']>): string {
  const parts = [
    mediaType?.split('/').at(-1)?.toUpperCase(),
    colourSpace?.toUpperCase().replace('SRGB', 'RGB'),
    hasProfile === null ? null : `color profile: ${hasProfile ? 'embedded' : 'none'}`,
    hasAlpha === true ? 'transparent' : null,
  ];
  return parts.filter(Boolean).join(', ');
}

/** `2 × AUD 12.00 = AUD 24.00`, for the office. */
function priceOf({ lines, remakeOf, currency }: Order, index: number, isOffice: boolean): React.ReactNode {
  const line = lines[index];
  if (!isOffice || line === undefined || remakeOf !== null) return false;
  return `${line.quantity} × ${formatMoney(line.unitPriceCents, currency)} = ${formatMoney(line.amountCents, currency)}`;
}

/** Notes about the file for production, such as its number of pages. */
export function ArtworkNotes({ line: { inspection }, ...props }: { line: JobLine } & TextProps) {
  return inspection?.notes.map((note) => (
    <Text key={note} size="sm" {...props}>
      {note}
    </Text>
  ));
}

/** The picture of a line, or why there is none. A click enlarges it. */
export function Picture({ order: { orderNumber }, line, index, w }: LineProps & { w: BoxProps['w'] }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [hasFailed, setHasFailed] = useState(false);
  const reason = hasFailed ? 'Preview not loaded. Reload the page.' : missingPictureReason(line);
  if (reason !== null) {
    return (
      <Center className="picture" p="xs" w={w} mih={110} flex="none">
        <Text size="xs" ta="center">
          {reason}
        </Text>
      </Center>
    );
  }
  const alt = `${line.artworkFilename ?? 'Artwork'} of ${lineName(index).toLowerCase()}`;
  const image = (size: 'large' | 'small', mah: number | string) => (
    <Image
      w="auto"
      maw="100%"
      mx="auto"
      mah={mah}
      src={previewUrl(orderNumber, index, size)}
      alt={alt}
      // Replaced artwork has another picture.
      key={line.inspection?.inspectedAt}
      onError={() => setHasFailed(true)}
    />
  );
  return (
    <>
      <UnstyledButton className="picture" w={w} mih={110} flex="none" onClick={open} aria-label={`Enlarge ${alt}`}>
        <Placed line={line}>{image('small', 260)}</Placed>
      </UnstyledButton>
      <Dialog opened={opened} onClose={close} closeOnClickOutside size="auto" title={alt}>
        <Stack gap="xs">
          <Placed line={line} width={(ratio) => `min(80vw, ${(75 * ratio).toFixed(1)}dvh)`}>
            {image('large', '75dvh')}
          </Placed>
          <ArtworkNotes line={line} />
          {line.artworkUrl !== null && (
            <Anchor href={line.artworkUrl} target="_blank" rel="noreferrer" size="sm">
              Open the artwork ↗
            </Anchor>
          )}
        </Stack>
      </Dialog>
    </>
  );
}
