import { SETTING_AREAS } from '../../src/settings';
import { code, tableOf } from './markdown';

type Setting = (typeof SETTING_AREAS)[string][string];

/** docs/settings.md. */
export function settingsPage(): string {
  const areas = Object.entries(SETTING_AREAS).map(([area, settings]) => `## ${area}\n\n${areaTable(settings)}\n`);
  return `# Settings

\`npm run docs\` writes this page from \`src/settings.ts\`.

The processes and \`trade-print\` read these settings from the environment. An empty value counts as unset. A process that cannot start names every problem at once.
The last column says which settings production needs and which it refuses; [more checks](operations.md#settings-in-production) apply there.

${areas.join('\n')}`;
}

function areaTable(settings: Readonly<Record<string, Setting>>): string {
  const rows = Object.entries(settings).map(([name, { meaning, takes, example, unset, production = '', ...setting }]) => [
    code(name),
    meaning,
    takes?.replaceAll('<', '\\<') ?? (example === undefined ? '' : `such as ${code(example)}`),
    setting.default === undefined ? (unset ?? '') : code(setting.default),
    production,
  ]);
  return tableOf(['setting', 'meaning', 'value', 'default', 'production'], rows);
}
