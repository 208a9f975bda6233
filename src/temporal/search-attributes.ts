import { isGrpcServiceError, type Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes';

const KEYWORD = 2; // temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD
const INVALID_ARGUMENT = 3;
/** PERMISSION_DENIED and UNIMPLEMENTED: Temporal Cloud and servers with an authorizer leave the operator service to operators. */
const REFUSED_CODES = [7, 12];

export const SEARCH_ATTRIBUTE_NAMES = Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name);

/**
 * Registers missing search attributes in the namespace.
 * @returns the names that an operator must register, because the server lets only operators do so
 */
export async function registerSearchAttributes(client: Client): Promise<string[]> {
  try {
    await register(client);
    return [];
  } catch (error) {
    if (!isGrpcServiceError(error) || !REFUSED_CODES.includes(error.code)) throw error;
    return findUnusable(client);
  }
}

async function register({ connection, options: { namespace } }: Client): Promise<void> {
  const registered = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTE_NAMES.filter((name) => !Object.hasOwn(registered.customAttributes, name));
  if (missing.length === 0) return;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
  });
}

/** The names that a search does not accept as keywords. */
async function findUnusable({ workflowService, options: { namespace } }: Client): Promise<string[]> {
  const unusable: string[] = [];
  for (const name of SEARCH_ATTRIBUTE_NAMES) {
    const searched = workflowService.countWorkflowExecutions({ namespace, query: `${name} STARTS_WITH "-"` });
    await searched.catch((error: unknown) => {
      if (!isGrpcServiceError(error) || error.code !== INVALID_ARGUMENT) throw error;
      unusable.push(name);
    });
  }
  return unusable;
}

/** The commands with which an operator registers search attributes. */
export function registrationCommands(namespace: string, names: readonly string[]): string {
  const attributes = names.map((name) => `--search-attribute ${name}=Keyword`).join(' ');
  return [
    `  Temporal Cloud:     tcld namespace search-attributes add --namespace ${namespace} ${attributes}`,
    `  your own server:    temporal operator search-attribute create --namespace ${namespace} ${names.map((name) => `--name ${name}`).join(' ')} --type Keyword`,
  ].join('\n');
}
