/** An id, its end cut off by what shows it: copied, and on hover, it is whole. */
export function ShortId({ id }: { id: string }) {
  return (
    <span className="mono quiet short" title={id}>
      {id}
    </span>
  );
}
