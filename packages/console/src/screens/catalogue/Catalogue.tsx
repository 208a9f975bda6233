import { Group, Stack, Tabs, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../../session/session';
import { useTitle } from '../../shared/title';
import { Nothing, Refused, Waiting } from '../../shared/told';
import { found, isWithdrawn, sectionQuery } from './rows';
import { type Section, SECTION_NAMES, sectionOf, SECTIONS } from './sections';
import { SectionTable, WriteRow } from './SectionTable';

export function Catalogue() {
  return useMay('office') ? <Sections /> : <OfTheOffice />;
}

function OfTheOffice() {
  useTitle('Catalogue');
  return (
    <Stack>
      <Title order={1}>Catalogue</Title>
      <Nothing>The catalogue is worked on by the office. What is to be made of it stands with each order, in words.</Nothing>
    </Stack>
  );
}

function Sections() {
  const navigate = useNavigate();
  const { section: named, q = '' } = useSearch({ strict: false });
  const section = sectionOf(named);
  useTitle(`Catalogue: ${SECTIONS[section].title}`);
  return (
    <Stack>
      <Title order={1}>Catalogue</Title>
      <Text size="sm">What clients see and may choose. It has no prices: those stand in the price book.</Text>
      <Tabs value={section} onChange={(value) => void navigate({ to: '/catalogue', search: { section: value ?? undefined } })}>
        <Tabs.List aria-label="Sections">
          {SECTION_NAMES.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {SECTIONS[each].title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={section} pt="md">
          <Rowed
            key={section}
            section={section}
            q={q}
            find={(text) => void navigate({ to: '/catalogue', search: { section, q: text || undefined }, replace: true })}
          />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Rowed({ section, q, find }: { section: Section; q: string; find: (text: string) => void }) {
  const { data: rows, error, refetch } = useQuery(sectionQuery(section));
  if (error !== null && rows === undefined) return <Refused error={error} retry={() => void refetch()} />;
  if (rows === undefined) return <Waiting what="Reading the catalogue" />;
  const shown = found(rows, q);
  const withdrawn = rows.filter(isWithdrawn).length;
  return (
    <Stack>
      <Title order={2} size="h3">
        {SECTIONS[section].title}
      </Title>
      <Group justify="space-between" align="end">
        <TextInput
          type="search"
          label="Find in this section"
          value={q}
          onChange={(event) => find(event.currentTarget.value)}
          flex={1}
          maw={360}
        />
        {section === 'products' ? (
          <Text size="sm">Products are what the service knows how to price: none can be added here.</Text>
        ) : (
          <WriteRow section={section} rows={rows} />
        )}
      </Group>
      <Text size="sm" role="status">
        {rows.length} in all, {withdrawn === 0 ? 'none withdrawn' : `${withdrawn} withdrawn`}
        {q !== '' && `; ${shown.length} with these words`}
      </Text>
      <SectionTable section={section} rows={shown} all={rows} />
    </Stack>
  );
}
