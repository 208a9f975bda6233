/** pino's number for warnings. */
const WARN = 40;
const LEVEL_NAMES: Readonly<Record<number, string>> = { 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

interface PinoLine {
  level: number;
  msg?: string;
  err?: { message?: string };
}

/**
 * The one line to show at the terminal for a line of a service's log, or undefined for what only the log file needs:
 * of pino's JSON, warnings and worse; of anything else (the Temporal SDK's core, Node itself), what looks like it.
 */
export function terminalLine(service: string, line: string): string | undefined {
  const parsed = parse(line);
  if (parsed === undefined) return /\b(WARN|ERROR|FATAL)\b/.test(line) ? `[${service}] ${line}` : undefined;
  if (parsed.level < WARN) return undefined;
  const cause = parsed.err?.message;
  const text = cause === undefined || cause === parsed.msg ? parsed.msg : `${parsed.msg}: ${cause}`;
  return `[${service}] ${LEVEL_NAMES[parsed.level] ?? parsed.level} ${text ?? ''}`;
}

function parse(line: string): PinoLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const parsed = JSON.parse(line) as PinoLine;
    return typeof parsed.level === 'number' ? parsed : undefined;
  } catch {
    return undefined;
  }
}
