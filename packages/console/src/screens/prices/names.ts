import { useQuery } from '@tanstack/react-query';
import { page, studio } from '../../api/studio';
import type { Names } from './words';

const SECTIONS = ['products', 'media', 'canvasMedia', 'everydayArtMedia', 'mouldings', 'matboards', 'glazing', 'backing'] as const;
const NONE: Names = new Map();

/** What the catalogue calls what a book has rates for. Until it has been read, ids stand there. */
export function useNames(): Names {
  const { data = NONE } = useQuery({ queryKey: ['catalogue', 'names'], queryFn: readNames, staleTime: 60_000 });
  return data;
}

async function readNames(): Promise<Names> {
  const sections = await Promise.all(
    SECTIONS.map((section) => page(studio.GET('/catalogue/{section}', { params: { path: { section } } }))),
  );
  const rows = sections.flatMap((section) => section.rows as { id?: string; slug?: string; name?: string }[]);
  return new Map(rows.map(({ id, slug, name }) => [id ?? slug ?? '', name ?? '']));
}
