import { answerPage as answer, type List } from '../../paging';
import type { Answer } from '../../types';
import type { StudioRequest } from './types';

export { markByAge } from '../../paging';

/** One page of a list of the studio's: its cursors are good for no list of the trade API. */
export function answerPage<R>(request: StudioRequest, list: List<R>): Promise<Answer> {
  return answer(request, { ...list, name: `studio/${list.name}` });
}
