export { projectRoot } from '../../src/platform/project-root';
