// Derives from an operation of the contract how the client calls it.
import { writeType } from './write-type.js';

const JSON_TYPE = 'application/json';
const PATCH_TYPE = 'application/merge-patch+json';
const LINES_TYPE = 'application/x-ndjson';
const PARTS_TYPE = 'multipart/form-data';
const BYTES_TYPE = 'application/octet-stream';

/**
 * What the client has of an operation.
 *
 * @typedef {object} ClientOperation
 * @property {string} operationId
 * @property {string} summary
 * @property {string} description
 * @property {string} method
 * @property {string} path
 * @property {readonly string[] | string} access
 * @property {boolean} idempotent
 * @property {boolean} scopeOfMode whether the scope is that of the mode in the path
 * @property {readonly { name: string, type: string }[]} parameters those in the path that a call has to give
 * @property {Record<string, string>} defaults values of the other names in the path
 * @property {Record<string, any> | undefined} query its members as a JSON schema
 * @property {{ form: string, type: string, lineId?: string } | undefined} body
 * @property {{ form: string, type: string }} result
 * @property {boolean} requiresIfMatch
 */

/**
 * @param {any} operation an entry of the contract's table of operations
 * @param {any} document the OpenAPI document
 * @returns {ClientOperation}
 */
export function describeOperation(operation, document) {
  const { operationId, method, path, access } = operation;
  const described = document.paths[path][method.toLowerCase()];
  const parameters = described.parameters ?? [];
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const queryType = `${operationId[0].toUpperCase()}${operationId.slice(1)}Query`;
  return {
    operationId,
    summary: described.summary,
    description: described.description,
    method,
    path,
    access,
    // A POST or PATCH may be repeated only if the contract says so.
    idempotent: !['POST', 'PATCH'].includes(method) || operation.idempotent === true,
    scopeOfMode: operation.scopeOfMode === true,
    parameters: inPath.filter(({ schema }) => schema.default === undefined).map(describeParameter),
    defaults: Object.fromEntries(
      inPath
        .filter(({ schema }) => schema.default !== undefined)
        .map(({ name, schema }) => [name, schema.default]),
    ),
    query: inQuery.length === 0 ? undefined : describeQuery(inQuery),
    body: describeBody(described.requestBody?.content, operation.lineId),
    result: describeResult(described, queryType),
    requiresIfMatch: operation.requiresIfMatch === true,
  };
}

/** Names of a short list have their type; the service says what else is wrong. @param {any} parameter */
function describeParameter({ name, schema }) {
  return { name, type: schema.enum === undefined ? 'string' : writeType(schema) };
}

/** @param {any[]} parameters */
function describeQuery(parameters) {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/**
 * @param {any} content
 * @param {string | undefined} lineId the member that identifies a line
 */
function describeBody(content, lineId) {
  if (content === undefined) return undefined;
  if (content[LINES_TYPE] !== undefined) {
    return { form: 'lines', type: `LineSource<${writeLineType(content)}>`, lineId };
  }
  if (content['text/csv'] !== undefined) return { form: 'text', type: 'TextSource' };
  const parts = content[PARTS_TYPE];
  if (parts !== undefined) return { form: 'parts', type: writeType(parts.schema) };
  const form = content['application/x-www-form-urlencoded'];
  if (form !== undefined) return { form: 'form', type: writeType(form.schema) };
  const patch = content[PATCH_TYPE];
  if (patch !== undefined) return { form: 'patch', type: writeType(patch.schema) };
  return { form: 'json', type: writeType(content[JSON_TYPE].schema) };
}

/**
 * @param {any} described the operation in the document
 * @param {string} queryType
 */
function describeResult({ responses, requestBody }, queryType) {
  const accepted = Object.entries(responses).filter(([status]) => /^2\d\d$/.test(status));
  const contents = accepted.map(([, { content }]) => content).filter((content) => content);
  const [content] = contents;
  if (content === undefined) return { form: 'empty', type: 'void' };
  if (content['text/plain'] !== undefined) return { form: 'text', type: 'string' };
  if (content[BYTES_TYPE] !== undefined) return { form: 'bytes', type: 'Blob' };
  const json = content[JSON_TYPE]?.schema;
  // What is uploaded as lines is responded to as lines, if the operation can.
  const sendsLines = requestBody?.content[LINES_TYPE] !== undefined;
  if (content[LINES_TYPE] !== undefined && (sendsLines || json === undefined)) {
    return { form: 'lines', type: `Lines<${writeLineType(content)}>` };
  }
  const isPage = accepted.some(([, { headers }]) => headers?.Link !== undefined);
  if (isPage && json.type === 'array') {
    return { form: 'page', type: `Page<${writeType(json.items)}, ${queryType}>` };
  }
  const types = new Set(contents.map((each) => writeType(each[JSON_TYPE].schema)));
  return { form: 'json', type: [...types].join(' | ') };
}

/** The type of a line: what the contract says of lines, else the elements of the JSON array. @param {any} content */
function writeLineType(content) {
  const { contentSchema } = content[LINES_TYPE].schema;
  if (contentSchema !== undefined) return writeType(contentSchema);
  const json = content[JSON_TYPE].schema;
  const array = (json.anyOf ?? [json]).find(({ type }) => type === 'array');
  return writeType(array.items);
}
