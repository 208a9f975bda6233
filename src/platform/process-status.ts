/**
 * A memory field of `/proc/<pid>/status`, such as VmRSS, in bytes. Null if the kernel does not report it. Pages have another size on some
 * machines, so numbers of pages are not used (proc(5)).
 */
export function memoryField(status: string, field: string): number | null {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
