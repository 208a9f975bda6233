import { Anchor, Center, Group, Image, Modal, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMay } from '../../session/session';
import { formatMoney } from '../../shared/amount';
import { Offered } from '../../shared/action';
import { FactList, type Facts, Part } from '../../shared/part';
import { consequences } from './actions/consequences';
import { Milestone } from './actions/Milestone';
import { actionOf, isOpen, type JobLine, type Order } from './order';
import { lineName, noPicture } from './words';

export function Lines({ order }: { order: Order }) {
  return (
    <Part title="What is made" beside={<JobSheet order={order} />}>
      <Stack gap="lg">
        {order.job.lines.map((line, at) => (
          // Lines of an order neither move nor go away.
          // oxlint-disable-next-line react/no-array-index-key
          <Line key={at} order={order} line={line} at={at} />
        ))}
      </Stack>
    </Part>
  );
}

function JobSheet({ order: { orderNumber } }: { order: Order }) {
  return (
    <Anchor size="sm" href={`/studio/v1/orders/${orderNumber}/job-sheet.pdf`} target="_blank">
      Job sheet (PDF)
    </Anchor>
  );
}

function Line({ order, line, at }: { order: Order; line: JobLine; at: number }) {
  const title = `${lineName(at)}: ${line.quantity} × ${line.productName}`;
  return (
    <Group align="flex-start" gap="md" component="article" aria-label={lineName(at)}>
      <Picture order={order} line={line} at={at} />
      <Stack gap={4} flex={1} miw={220}>
        <Title order={3} size="h5">
          {title}
        </Title>
        <FactList
          facts={{
            ...Object.fromEntries(line.words.map(({ label, value }) => [label, value])),
            ...artworkOf(line),
            'Their reference': line.externalReference ?? false,
          }}
        />
        <Price order={order} at={at} />
        <RejectArtwork order={order} line={line} at={at} />
      </Stack>
    </Group>
  );
}

function RejectArtwork({ order, line: { artworkUrl }, at }: { order: Order; line: JobLine; at: number }) {
  const mayOffice = useMay('office');
  const type = 'artwork_rejected';
  const action = actionOf(order, type);
  return (
    <Offered value={isOpen(action) && artworkUrl !== null}>
      <Milestone
        order={order}
        action={{ ...action, type }}
        says={consequences(order, type, mayOffice)}
        line={at}
        button={{ size: 'compact-xs', w: 'fit-content' }}
      />
    </Offered>
  );
}

function artworkOf({ artworkUrl, artworkFilename, artworkReceived, inspection }: JobLine): Facts {
  if (artworkUrl === null) return { Artwork: 'none, or it has been erased' };
  const file = (
    <Anchor href={artworkUrl} target="_blank" rel="noreferrer" inherit underline="always" className="wraps">
      {artworkFilename ?? 'open the file'}
    </Anchor>
  );
  const arrived = { true: 'arrived', false: 'has not arrived yet', null: 'the artwork store does not say' }[String(artworkReceived)];
  const artwork = (
    <>
      {file} ({arrived})
    </>
  );
  if (inspection === null) return { Artwork: artwork };
  const { widthPx, heightPx, effectiveDpi, reason } = inspection;
  const dpi = effectiveDpi === null ? '' : `, ${effectiveDpi} dpi at this size`;
  return {
    Artwork: artwork,
    Pixels: widthPx !== null && heightPx !== null && `${widthPx} × ${heightPx}${dpi}`,
    Picture: reason ?? pictureInWords(inspection),
  };
}

function pictureInWords({ mediaType, colourSpace, hasProfile, hasAlpha }: NonNullable<JobLine['inspection']>): string {
  const parts = [
    mediaType?.replace('image/', '').toUpperCase(),
    colourSpace === null ? undefined : `colours ${colourSpace}`,
    hasProfile === true ? 'with a colour profile' : hasProfile === false ? 'without a colour profile' : undefined,
    hasAlpha === true ? 'see-through in places' : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** Of money the floor is not told. */
function Price({ order, at }: { order: Order; at: number }) {
  const mayOffice = useMay('office');
  const line = order.lines[at];
  if (!mayOffice || line === undefined || order.remakeOf !== null) return null;
  return (
    <Text size="sm">
      {formatMoney(line.unitPriceCents, order.currency)} each,{' '}
      <span className="money">{formatMoney(line.amountCents, order.currency)}</span>
    </Text>
  );
}

function Picture({ order: { orderNumber }, line, at }: { order: Order; line: JobLine; at: number }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [isLost, lose] = useState(false);
  const reason = isLost ? 'it could not be loaded; load the page again' : noPicture(line);
  if (reason !== null) {
    return (
      <Center className="picture" p="xs" w={160} mih={110} flex="none">
        <Text size="xs" ta="center">
          No picture: {reason}
        </Text>
      </Center>
    );
  }
  const alt = `${line.artworkFilename ?? 'Artwork'}, as it is printed on ${lineName(at).toLowerCase()}`;
  const image = (mah: number | string) => (
    <Image
      w="auto"
      maw="100%"
      mx="auto"
      mah={mah}
      src={`/studio/v1/orders/${orderNumber}/lines/${at}/preview`}
      alt={alt}
      // Where other bytes have come, there is another picture.
      key={line.inspection?.inspectedAt}
      onError={() => lose(true)}
    />
  );
  return (
    <>
      <UnstyledButton className="picture" w={160} mih={110} flex="none" onClick={open} aria-label={`Enlarge: ${alt}`}>
        {image(200)}
      </UnstyledButton>
      <Modal opened={opened} onClose={close} size="auto" title={alt}>
        <Stack gap="xs">
          {image('75dvh')}
          {line.artworkUrl !== null && (
            <Anchor href={line.artworkUrl} target="_blank" rel="noreferrer" size="sm">
              Open the artwork itself ↗
            </Anchor>
          )}
        </Stack>
      </Modal>
    </>
  );
}
