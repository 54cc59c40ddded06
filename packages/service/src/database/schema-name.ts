// The names of schemas that are used beside the one of the server. They are written into statements as they are.

/** @throws RangeError for a name that would have to be quoted */
export function checkSchemaName(name: string): string {
  if (/^[a-z][a-z0-9_]{0,62}$/.test(name)) return name;
  throw new RangeError(
    `the schema ${name} must have only lower-case letters, digits and underscores`,
  );
}
