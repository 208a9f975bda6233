import { useEnvironment } from '../../session/environment';
import { countInWords, useOrderCounts } from '../../shared/counts';
import { ListTable, queryOf } from '../../shared/list';
import { BoardLink } from './BoardLink';
import { DUE_COLUMNS } from './due-columns';
import { useDue } from './orders';
import { Part } from './Part';

const ROWS_OF_A_PAGE = 10;

/** What should have left by now, the longest late first. */
export function Late() {
  const [environment] = useEnvironment();
  const count = useOrderCounts(environment).data?.late;
  const search = { late: 'true', sort: 'dueDate' } as const;
  return (
    <Part
      title={count === undefined || count === 0 ? 'Late' : `Late: ${countInWords(count)}`}
      about="The day they were due has passed, and they are still here. The longest late first."
      beside={count === undefined || count === 0 ? undefined : <BoardLink search={search}>All that are late, on the board</BoardLink>}
    >
      <ListTable
        label="Late orders"
        list={useDue(environment, { late: 'true', limit: ROWS_OF_A_PAGE })}
        columns={DUE_COLUMNS}
        keyOf={({ orderId }) => orderId}
        empty="Nothing is late."
        csv={`/studio/v1/orders.csv?${queryOf({ environment, ...search })}`}
      />
    </Part>
  );
}
