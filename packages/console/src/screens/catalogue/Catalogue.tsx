import { Group, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ErrorAlert, Loading } from '../../shared/feedback';
import { Screen } from '../../shared/layout';
import { isWithdrawn, searchRows, sectionQuery } from './rows';
import { type Section, SECTION_NAMES, sectionOf, SECTIONS } from './sections';
import { SaveRow, SectionTable } from './SectionTable';

export function Catalogue() {
  const { section: name } = useSearch({ strict: false });
  const section = sectionOf(name);
  return (
    <Screen title="Catalogue" tab={`Catalogue: ${SECTIONS[section].title}`} minRole="office" what="the catalogue">
      <Sections section={section} />
    </Screen>
  );
}

function Sections({ section }: { section: Section }) {
  const navigate = useNavigate();
  return (
    <Tabs value={section} onChange={(value) => void navigate({ to: '/catalogue', search: { section: value ?? undefined } })}>
      <Tabs.List aria-label="Sections">
        {SECTION_NAMES.map((each) => (
          <Tabs.Tab key={each} value={each} px="xs">
            {SECTIONS[each].title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={section} pt="md">
        <SectionPanel key={section} section={section} />
      </Tabs.Panel>
    </Tabs>
  );
}

function SectionPanel({ section }: { section: Section }) {
  const navigate = useNavigate();
  const { q = '' } = useSearch({ strict: false });
  const { data: rows, error, refetch } = useQuery(sectionQuery(section));
  if (error !== null && rows === undefined) return <ErrorAlert error={error} retry={() => void refetch()} />;
  if (rows === undefined) return <Loading what="Loading the catalogue" />;
  const shown = searchRows(rows, q);
  const withdrawn = shown.filter(isWithdrawn).length;
  const search = (text: string): void => void navigate({ to: '/catalogue', search: { section, q: text || undefined }, replace: true });
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Group>
          <TextInput
            type="search"
            aria-label="Search this section"
            placeholder="Search"
            value={q}
            onChange={(event) => search(event.currentTarget.value)}
          />
          <Text size="sm" role="status">
            {shown.length} of {rows.length}
            {withdrawn > 0 && `, ${withdrawn} withdrawn`}
          </Text>
        </Group>
        {section === 'products' ? <Text size="sm">You cannot add products.</Text> : <SaveRow section={section} rows={rows} />}
      </Group>
      <SectionTable section={section} rows={shown} all={rows} />
    </Stack>
  );
}
