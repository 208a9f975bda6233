// Neither package has types. Only the used part is declared.
declare module 'postman-collection' {
  export class Collection {
    constructor(definition: object);
  }
  export class VariableScope {
    constructor(definition: { values: { key: string; value: string }[] });
  }
}

declare module 'postman-runtime' {
  interface Run {
    start(events: {
      response(error: Error | null, cursor: object, response: { code: number; json(): any }, request: object, item: { name: string }): void;
      exception(cursor: object, error: Error): void;
      done(error: Error | null): void;
    }): void;
  }
  export class Runner {
    run(collection: object, options: object, callback: (error: Error | null, run: Run) => void): void;
  }
}
