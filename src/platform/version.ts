import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project-root';

const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as { version: string };

/** The running release. The image sets GIT_COMMIT. */
export const RELEASE = Object.freeze({ version, commit: process.env.GIT_COMMIT || 'unknown' });
