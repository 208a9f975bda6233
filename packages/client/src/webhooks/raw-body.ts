/** The request body exactly as it arrived. Parsing the JSON and serializing it again breaks the signature. */
export type RawBody = string | Uint8Array | ArrayBuffer;
