import { Group, ScrollArea, Stack, Tabs, Text, Title } from '@mantine/core';
import type { Of } from '../../api/types';
import { Copy } from '../../shared/copy';

/** What was sent: laid out to be read, and the very text that is signed. */
export function Body({ delivery: { event } }: { delivery: Of<'DeliveryDetail'> }) {
  return (
    <Stack gap="xs" component="section" aria-labelledby="body">
      <Title order={2} size="h4" id="body">
        What was sent
      </Title>
      <Tabs defaultValue="read" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="read">To read</Tabs.Tab>
          <Tabs.Tab value="raw">As it is signed</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="read" pt="xs">
          <Verbatim label="What was sent, laid out" text={laidOut(event.rawBody)} />
        </Tabs.Panel>
        <Tabs.Panel value="raw" pt="xs">
          <Stack gap="xs">
            <Group>
              <Text size="sm">Every attempt sends this very text; the signature is of it, to the last character.</Text>
              <Copy text={event.rawBody} />
            </Group>
            <Verbatim label="What was sent, as it is signed" text={event.rawBody} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Verbatim({ label, text }: { label: string; text: string }) {
  return (
    <ScrollArea.Autosize mah={420} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <pre className="mono verbatim">{text}</pre>
    </ScrollArea.Autosize>
  );
}

/** As it was sent, where it is no JSON. */
function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
