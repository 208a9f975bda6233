export { projectRoot } from '../../src/project-root';
