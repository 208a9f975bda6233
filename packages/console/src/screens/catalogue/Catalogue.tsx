import { Group, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Loaded } from '../../shared/feedback';
import { TextFilter } from '../../shared/filter-bar';
import { Screen } from '../../shared/layout';
import { useSearchParams } from '../../shared/search-params';
import { isWithdrawn, searchRows, sectionQuery } from './rows';
import { type Section, SECTION_NAMES, SECTIONS } from './sections';
import { SaveRow, SectionTable } from './SectionTable';

export function Catalogue() {
  const navigate = useNavigate();
  const [{ section: named }] = useSearchParams();
  const section = SECTION_NAMES.find((each) => each === named) ?? 'products';
  return (
    <Screen title="Catalogue" tab={`Catalogue: ${SECTIONS[section].title}`} minRole="office" what="the catalogue">
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
    </Screen>
  );
}

function SectionPanel({ section }: { section: Section }) {
  const [{ q = '' }] = useSearchParams();
  return (
    <Loaded query={useQuery(sectionQuery(section))} what="Loading the catalogue">
      {(rows) => {
        const shown = searchRows(rows, q);
        const withdrawn = shown.filter(isWithdrawn).length;
        return (
          <Stack gap="xs">
            <Group justify="space-between" align="end">
              <Group align="end">
                <TextFilter name="q" label="Search" type="search" />
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
      }}
    </Loaded>
  );
}
