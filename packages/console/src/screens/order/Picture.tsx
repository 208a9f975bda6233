import { Anchor, Center, Modal, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { JobLine, Order } from './order';
import { lineName, noPicture } from './words';

/** The picture of a line, larger on a click; where there is none, why. */
export function Picture({ order: { orderNumber }, line, at }: { order: Order; line: JobLine; at: number }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [isLost, lose] = useState(false);
  const reason = isLost ? 'it could not be loaded; load the page again' : noPicture(line);
  if (reason !== null) {
    return (
      <Center className="picture" p="xs">
        <Text size="xs" ta="center">
          No picture: {reason}
        </Text>
      </Center>
    );
  }
  const alt = `${line.artworkFilename ?? 'Artwork'}, as it is printed on ${lineName(at).toLowerCase()}`;
  const image = (
    <img
      src={`/studio/v1/orders/${orderNumber}/lines/${at}/preview`}
      alt={alt}
      // Where other bytes have come, there is another picture.
      key={line.inspection?.inspectedAt}
      onError={() => lose(true)}
    />
  );
  return (
    <>
      <UnstyledButton className="picture" onClick={open} aria-label={`Enlarge: ${alt}`}>
        {image}
      </UnstyledButton>
      <Modal opened={opened} onClose={close} size="auto" title={alt} closeButtonProps={{ 'aria-label': 'Close' }}>
        <Stack gap="xs" className="enlarged">
          {image}
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
