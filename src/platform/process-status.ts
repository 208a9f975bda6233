/**
 * A memory field of `/proc/<pid>/status`, such as VmRSS, in bytes. Null if the kernel does not report it. Pages have another size on some
 * machines, so numbers of pages are not used (proc(5)).
 */
export function memoryField(status: string, field: string): number | null {
  const kilobytes = [...status.matchAll(/^(\w+):[ \t]+(\d+) kB$/gm)].find(([, name]) => name === field)?.[2];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
