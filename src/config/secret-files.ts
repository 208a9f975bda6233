import { readFileSync } from 'node:fs';
import { SECRET_SETTINGS, SETTING_NAMES, type SettingName } from './settings';

type Env = Record<string, string | undefined>;

/**
 * Replaces each `<NAME>_FILE` of a secret by `<NAME>` with the file's content without its final line break. The problems never contain a
 * content.
 * @param names the files of other settings are not read
 */
export function readSecretFiles(env: Env, names: readonly SettingName[] = SETTING_NAMES): { env: Env; problems: string[] } {
  const values: Env = { ...env };
  const problems: string[] = [];
  for (const name of SECRET_SETTINGS) {
    const variable = `${name}_FILE`;
    const file = env[variable];
    if (!file || !names.includes(name)) continue;
    delete values[variable];
    if (env[name]) problems.push(`${name} and ${variable} are both set; unset one of them`);
    else values[name] = readSecret(variable, file, problems);
  }
  return { env: values, problems };
}

function readSecret(variable: string, file: string, problems: string[]): string | undefined {
  try {
    const text = readFileSync(file, 'utf8')
      .replace(/^\ufeff/, '') // the byte order mark of Windows programs
      .replace(/\r?\n$/, '');
    if (text !== '') return text;
    problems.push(`${variable}: ${file} is empty; write the secret into it`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    problems.push(`${variable}: ${file} cannot be read (${code}); name a file that the user of the process can read`);
  }
  return undefined;
}
