import { Box, Button, SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ClearFilters } from './inputs';
import { type Search, useSearchParams } from './search-params';

interface FilterBarProps {
  label: string;
  /** The parameters of the page's address that the filters set. */
  names: readonly (keyof Search)[];
  children: React.ReactNode;
}

/** The filters of a list. On phones a button shows them. */
export function FilterBar({ label, names, children }: FilterBarProps) {
  const [search, change] = useSearchParams();
  const [isOpen, { toggle }] = useDisclosure(false);
  const count = names.filter((name) => search[name] !== undefined).length;
  return (
    <Box role="search" aria-label={label}>
      <Button hiddenFrom="sm" size="xs" variant="default" onClick={toggle} aria-expanded={isOpen}>
        Filters{count > 0 && ` (${count})`}
      </Button>
      <SimpleGrid {...(isOpen ? {} : { visibleFrom: 'sm' })} cols={{ base: 1, xs: 2, md: names.length }} spacing="xs" verticalSpacing="xs">
        {children}
      </SimpleGrid>
      {count > 0 && <ClearFilters names={names} change={change} />}
    </Box>
  );
}
