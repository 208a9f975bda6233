/** Name shared by the floor's workflows, its worker and the benchmarks. */
export const FLOOR_TASK_QUEUE = 'floor';
