// The types of the trade API, made of its OpenAPI document: the standard input's, to the standard output (`npm run client:types`).

import { text } from 'node:stream/consumers';
import openapiTypes, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const document = JSON.parse(await text(process.stdin));
process.stdout.write(COMMENT_HEADER + astToString(await openapiTypes(document)));
