/** The workflows of task queue `artwork`. */
export { artworkInspection } from '../artwork-inspection';
