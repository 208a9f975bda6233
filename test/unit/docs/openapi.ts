type JsonObject = Record<string, any>;

/** The error codes of all operations of an OpenAPI document, with their statuses. */
export function refusalsOf(document: JsonObject): Map<string, number> {
  const operations = Object.values(document.paths as JsonObject).flatMap((methods) => Object.values(methods as JsonObject)) as JsonObject[];
  const responses = operations.flatMap(({ responses: byStatus }) => Object.entries(byStatus as JsonObject)) as [string, JsonObject][];
  return new Map(
    responses.flatMap(([status, { content }]) =>
      Number(status) < 400 ? [] : Object.keys(content?.['application/json']?.examples ?? {}).map((code) => [code, Number(status)] as const),
    ),
  );
}

/** Names of the fields of a component that have no fields below them, nested objects and lists included. */
export const leafFieldsOf = (document: JsonObject, component: string): string[] =>
  leavesOf(document.components.schemas[component] as JsonObject);

function leavesOf(schema: JsonObject): string[] {
  return Object.entries((schema['properties'] ?? {}) as JsonObject).flatMap(([name, field]) => {
    const alternatives = ((field.anyOf as JsonObject[] | undefined) ?? [field]).map(
      (one) => (one['items'] as JsonObject | undefined) ?? one,
    );
    const nested = alternatives.filter((one) => one['properties'] !== undefined);
    return nested.length === 0 ? [name] : nested.flatMap(leavesOf);
  });
}
