// SQL of the schemas of spaces, which a table lists: a schema of somebody else may have such a name. Names are ours, so
// they need no quotes. Scripts without values, and two statements.
import type { Statement } from '@landfall/service/assembly';

/** Makes the list of the schemas. */
export const makeSchemaList = `
create schema if not exists playground;
create table if not exists playground."space schema" (name text primary key);`;

export const makeSchema = (schema: string) => `
create schema ${schema};
insert into playground."space schema" values ('${schema}');`;

export const dropSchema = (schema: string) => `
drop schema if exists ${schema} cascade;
delete from playground."space schema" where name = '${schema}';`;

/** The schemas of spaces that are there. */
export const findSchemas: Statement<{ schema: string }> = {
  name: 'find-space-schemas',
  text: 'select name as schema from playground."space schema"',
  values: [],
};

/** Whether there is a schema of this name, whoever has made it. */
export function findSchema(schema: string): Statement<{ exists: boolean }> {
  return {
    name: 'find-schema',
    text: 'select exists (select from pg_namespace where nspname = $1)',
    values: [schema],
  };
}
