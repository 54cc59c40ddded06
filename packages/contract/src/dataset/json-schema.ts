// A line of a dataset as a JSON Schema (draft 2020-12), for validators and editors.
import { type Json, SchemaComponents } from '../schema-components.js';
import { datasetLineSchemas } from './dataset-line.js';

/**
 * Makes the JSON Schema of a line of a dataset. It has the rules of single lines, not those between lines.
 *
 * @example
 * makeDatasetJsonSchema().$schema; // 'https://json-schema.org/draft/2020-12/schema'
 */
export function makeDatasetJsonSchema(): Json {
  const definitions = new SchemaComponents('#/$defs');
  const oneOf = Object.values(datasetLineSchemas).map((schema) => definitions.describe(schema));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:landfall:dataset-line',
    title: 'DatasetLine',
    description: 'One line of a dataset (NDJSON)',
    oneOf,
    $defs: definitions.all(),
  };
}
