import { ScrollArea, Text } from '@mantine/core';

/** The first of what their server answered, as text whatever it is. */
export function Reply({ text }: { text: string | null }) {
  if (text === null) return <Text size="sm">Nothing came back.</Text>;
  if (text === '') return <Text size="sm">The answer was empty.</Text>;
  return (
    <ScrollArea.Autosize mah={180} type="auto" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': 'What their server answered' }}>
      <pre className="mono verbatim">{text}</pre>
    </ScrollArea.Autosize>
  );
}
