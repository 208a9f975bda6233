// In which order a program is looked for and got. Nothing is read or run here.

/**
 * What to try for a program, in turn, until one answers. One on the PATH is used as it is. One in our cache is used when it is at
 * least the version that we would download, the newest first; an older one is what is left when no download works.
 *
 * @param {{
 *   onPath?: string,
 *   cached: { path: string, version?: string }[],
 *   wanted: string,
 *   downloads: unknown[],
 *   lastResort: unknown,
 * }} what `version` is undefined where it cannot be told: the SDK's own choice, which is taken for the newest
 * @returns {({ use: string, older?: true } | { get: unknown })[]}
 */
export function sourcesInOrder({ onPath, cached, wanted, downloads, lastResort }) {
  if (onPath !== undefined) return [{ use: onPath }];
  const newestFirst = [...cached].sort((one, other) => compareVersions(other.version, one.version));
  const isCurrent = ({ version }) => compareVersions(version, wanted) >= 0;
  return [
    ...newestFirst.filter(isCurrent).map(({ path }) => ({ use: path })),
    ...downloads.map((get) => ({ get })),
    ...newestFirst.filter((one) => !isCurrent(one)).map(({ path }) => ({ use: path, older: true })),
    { get: lastResort },
  ];
}

/** Negative, zero or positive, as for a sort. Numbers between dots; undefined is above all. */
export function compareVersions(one, other) {
  if (one === undefined || other === undefined) return (one === undefined ? 1 : 0) - (other === undefined ? 1 : 0);
  const [left, right] = [one, other].map((version) => version.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
