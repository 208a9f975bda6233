import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REFUSALS } from '@trade-print/client';
import { projectRoot } from '../../../scripts/start/project';
import { exactTradeDocument } from '../../../src/http/openapi/trade';

const PACKAGE = path.join(projectRoot, 'packages', 'client');
const read = (file: string): string => readFileSync(path.join(PACKAGE, file), 'utf8');

const document = exactTradeDocument() as {
  paths: Record<string, Record<string, object>>;
  components: { schemas: Record<string, { properties?: { code?: { enum?: string[] } } }> };
};

describe('the client package and the OpenAPI document', () => {
  it('every operation has a call that the README describes', () => {
    const operations = Object.entries(document.paths).flatMap(([at, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${at}`),
    );
    const told = [...read('README.md').matchAll(/^- `\w+\.\w+\([^`]*`: `((?:GET|POST|PATCH) [^`]+)`/gm)].map(([, endpoint]) => endpoint);
    expect([...new Set(told)].toSorted()).toEqual(operations.toSorted());
  });

  it('every error code has a class', () => {
    const codes = Object.entries(document.components.schemas)
      .filter(([name]) => name.startsWith('Error'))
      .flatMap(([, { properties }]) => properties?.code?.enum ?? []);
    expect(codes.length).toBeGreaterThan(20);
    expect(Object.keys(REFUSALS).toSorted()).toEqual(codes.toSorted());
  });
});
