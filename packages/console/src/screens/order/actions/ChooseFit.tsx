import { Group, Image, Radio, Stack } from '@mantine/core';
import { callApi, studio } from '../../../api/studio';
import { Action, useActionForm } from '../../../shared/action';
import { previewUrl } from '../../../shared/orders';
import type { JobLine, Order } from '../studio-order';
import { Placed } from '../Placed';
import { fitInWords, lineName } from '../words';

const FITS = ['fill', 'fit'] as const;

/** For a picture whose shape differs from the print of its line. Begins again with another picture. */
export function ChooseFit({ order, line, index }: { order: Order; line: JobLine; index: number }) {
  const form = useActionForm(
    () => ({ fit: (line.placement?.fit ?? 'fill') as 'fill' | 'fit' }),
    () => ({}),
  );
  return (
    <Action<Order>
      label="Choose fit"
      target={`of line ${index + 1}`}
      title={`Choose how the picture of ${lineName(index).toLowerCase()} is printed`}
      consequences={[
        `The shape of the picture differs by ${line.inspection?.shapeDifferencePercent ?? 0} %. The job sheet shows your choice.`,
        'The price stays. The client is not notified.',
      ]}
      subject={`${order.orderId} fit ${index}`}
      run={(fitId) =>
        callApi(
          studio.POST('/orders/{id}/lines/{n}/fit', {
            params: { path: { id: order.orderId, n: index } },
            body: { fitId, fit: form.values.fit, ...(line.uploadId !== null && { uploadId: line.uploadId }) },
          }),
        )
      }
      toast={() => `${order.orderNumber}: ${fitInWords(form.values.fit).toLowerCase()} on ${lineName(index).toLowerCase()}`}
      button={{ size: 'compact-xs', w: 'fit-content' }}
      {...form.action}
    >
      <Radio.Group label="Picture" {...form.field('fit')}>
        <Group align="flex-start" mt="xs">
          {FITS.map((fit) => (
            <Stack key={fit} gap="xs">
              <Radio value={fit} label={fitInWords(fit)} />
              {line.inspection?.state === 'ok' && (
                <Placed line={line} fit={fit} width={() => '180px'}>
                  <Image w="auto" maw={180} mah={180} src={previewUrl(order.orderNumber, index, 'small')} alt="" />
                </Placed>
              )}
            </Stack>
          ))}
        </Group>
      </Radio.Group>
    </Action>
  );
}
