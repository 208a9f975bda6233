import { Collection, VariableScope } from 'postman-collection';
import { Runner } from 'postman-runtime';
import { useService } from '../../support/fixtures';

interface Result {
  name: string;
  status: number;
  json: any;
}

/** The responses of a folder of the collection, sent by the engine of Postman and newman. */
function runFolder(collection: object, folder: string, variables: Readonly<Record<string, string>>): Promise<Result[]> {
  const results: Result[] = [];
  const options = {
    entrypoint: { execute: folder, lookupStrategy: 'idOrName' },
    environment: new VariableScope({ values: Object.entries(variables).map(([key, value]) => ({ key, value })) }),
  };
  return new Promise((resolve, reject) => {
    new Runner().run(new Collection(collection), options, (refused, run) => {
      if (refused !== null) return reject(refused);
      run.start({
        response: (error, _cursor, response, _request, { name }) => {
          if (error !== null) reject(error);
          else results.push({ name, status: response.code, json: response.json() });
        },
        exception: (_cursor, error) => reject(error),
        done: (error) => (error === null ? resolve(results) : reject(error)),
      });
    });
  });
}

describe('the Postman collection in the engine of Postman and newman', () => {
  const service = useService();

  it('places an order with the bytes of its artwork, and a second one when it runs again', async () => {
    const collection = (await (await fetch(`http://127.0.0.1:${service.api.tradePort}/postman.json`)).json()) as object;
    const variables = { token: service.account.testKey, baseUrl: `http://127.0.0.1:${service.api.tradePort}/v1` };
    const first = await runFolder(collection, 'First order', variables);
    expect(first.map(({ name, status }) => [name, status])).toEqual([
      ['Create an upload', 201],
      ['Send the artwork', 200],
      ['Create a quote', 201],
      ['Create an order', 201],
      ['Retrieve an order', 200],
    ]);
    const second = await runFolder(collection, 'First order', variables);
    expect(second.map(({ status }) => status)).toEqual(first.map(({ status }) => status));
    const orders = [first.at(-1)?.json.data, second.at(-1)?.json.data];
    expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(2);
    expect(orders.map(({ issues }) => issues)).toEqual([[], []]);
  });
});
