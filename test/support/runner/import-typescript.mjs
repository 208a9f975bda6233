// Node's module hook: import() of a TypeScript file loads it as require() does, through register-swc.cjs.

export function load(url, context, nextLoad) {
  if (!new URL(url).pathname.endsWith('.ts')) return nextLoad(url, context);
  return { format: 'commonjs', source: null, shortCircuit: true };
}
