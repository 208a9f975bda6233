import { SETTING_AREAS } from '../../src/config/settings';
import { inlineCode, renderTable } from './markdown';

type Setting = (typeof SETTING_AREAS)[string][string];

/** Renders docs/settings.md. */
export function renderSettingsPage(): string {
  const areas = Object.entries(SETTING_AREAS).map(([area, settings]) => `## ${area}\n\n${renderAreaTable(settings)}\n`);
  return `# Settings

\`npm run docs\` writes this page from \`src/config/settings.ts\`.

The processes and \`trade-print\` read these settings from the environment. An empty value counts as unset. A process that cannot start names every problem at once.
A variable that ends with \`_FILE\` contains the path of a file with the value, such as a mounted secret. The service removes the file's final line break.
The last column says which settings production needs and which it refuses; [more checks](operations.md#settings-in-production) apply there.

${areas.join('\n')}`;
}

function renderAreaTable(settings: Readonly<Record<string, Setting>>): string {
  const rows = Object.entries(settings).map(([name, { meaning, takes, example, unset, production = '', secret, ...setting }]) => [
    secret === true ? `${inlineCode(name)}, ${inlineCode(`${name}_FILE`)}` : inlineCode(name),
    meaning,
    takes?.replaceAll('<', '\\<') ?? (example === undefined ? '' : `such as ${inlineCode(example)}`),
    setting.default === undefined ? (unset ?? '') : inlineCode(setting.default),
    production,
  ]);
  return renderTable(['setting', 'meaning', 'value', 'default', 'production'], rows);
}
