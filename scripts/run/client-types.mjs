// `npm run client:types`: writes the client package's types anew, from the OpenAPI document of the trade API as the code makes it.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { inProject } from '../set-up/project.mjs';

const document = execFileSync(process.execPath, [inProject('dist', 'src', 'cli', 'index.js'), 'openapi', 'trade'], { maxBuffer: 64 << 20 });
const types = execFileSync(process.execPath, [inProject('packages', 'client', 'scripts', 'types.mjs')], { input: document });
writeFileSync(inProject('packages', 'client', 'src', 'generated', 'trade.ts'), types);
