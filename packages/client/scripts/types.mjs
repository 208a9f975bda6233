// src/generated/trade.ts, the types of the trade API, made of its OpenAPI document, which comes on the standard input. They go to the
// standard output.

import { text } from 'node:stream/consumers';
import openapiTypes, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const document = JSON.parse(await text(process.stdin));
process.stdout.write(COMMENT_HEADER + astToString(await openapiTypes(document)));
