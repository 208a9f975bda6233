// Neither package has types. Only the used part is declared.
declare module 'postman-collection' {
  export const Collection: new (definition: object) => object;
  export const VariableScope: new (definition: { values: { key: string; value: string }[] }) => object;
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
