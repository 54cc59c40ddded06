// The files that are generated from the contract alone: its documents, and the sources of the client library.
import {
  makeAsyncApiDocument,
  makeDatasetJsonSchema,
  makeGoodsItemJsonSchema,
  makeOpenApiDocument,
  operations,
} from '@landfall/contract';
import { makeClientMethods, makeClientOperations } from '../client/make-operations.js';
import { makeClientTypes } from '../client/make-types.js';

/**
 * Each file, with the function that generates its text.
 *
 * @param {string} version of the contract
 * @returns {Record<string, () => string>}
 */
export function contractFiles(version) {
  const openApi = makeOpenApiDocument({ version });
  return {
    'packages/contract/openapi.json': () => toJson(openApi),
    'packages/contract/asyncapi.json': () => toJson(makeAsyncApiDocument({ version })),
    'packages/contract/goods-item-message.schema.json': () => toJson(makeGoodsItemJsonSchema()),
    'packages/contract/dataset-line.schema.json': () => toJson(makeDatasetJsonSchema()),
    'packages/client/src/contract/types.ts': () => makeClientTypes(openApi),
    'packages/client/src/operations/operations.ts': () => makeClientOperations(operations, openApi),
    'packages/client/src/operations/methods.ts': () => makeClientMethods(operations, openApi),
  };
}

/** @param {unknown} document */
function toJson(document) {
  return `${JSON.stringify(document, null, 2)}\n`;
}
