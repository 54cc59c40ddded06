// The tables, functions, foreign keys and indexes of the generated schema.

/** @typedef {{ name: string, columns: string[] }} Table */
/** @typedef {{ tables: Map<string, Table>, sources: Map<string, string>, foreignKeys: { from: string, to: string }[], indexes: { name: string, table: string, text: string, columns: string }[] }} Schema */

/**
 * @param {string} text of `schema.sql`
 * @returns {Schema} without partitions; `sources` has the text of each function and view, which statements use as if it were theirs
 */
export function readSchema(text) {
  const tables = new Map(
    [...text.matchAll(/^CREATE TABLE public\.(\w+) \(\n(.*?)^\)/gms)].map(
      ([, name = '', body = '']) => [
        name,
        {
          name,
          columns: [...body.matchAll(/^ {4}"?([a-z_]+)"? /gm)].map(([, column = '']) => column),
        },
      ],
    ),
  );
  const partitions = text.matchAll(/ATTACH PARTITION public\.(\w+)/g);
  for (const [, partition = ''] of partitions) tables.delete(partition);
  const functions = text.matchAll(/^CREATE FUNCTION public\.(\w+)\(.*?AS \$(\w*)\$(.*?)\$\2\$;/gms);
  const views = text.matchAll(/^CREATE VIEW public\.(\w+) AS()(.*?);$/gms);
  const sources = new Map(
    [...functions, ...views].map(([whole, name = '']) => [name, whole.replaceAll('public.', '')]),
  );
  const foreignKeys = [
    ...text.matchAll(
      /^ALTER TABLE ONLY public\.(\w+)\n.*FOREIGN KEY .* REFERENCES public\.(\w+)/gm,
    ),
  ].map(([, from = '', to = '']) => ({ from, to }));
  const indexes = [
    ...text.matchAll(
      /^CREATE (?:UNIQUE )?INDEX (\w+) ON (?:ONLY )?public\.(\w+) USING \w+ (.*);$/gm,
    ),
    ...text.matchAll(
      /^ALTER TABLE ONLY public\.(\w+)\n {4}ADD CONSTRAINT (\w+) (?:PRIMARY KEY|UNIQUE) (.*);$/gm,
    ),
  ].map(([whole, one = '', other = '', columns = '']) => {
    const [name, table] = whole.startsWith('CREATE') ? [one, other] : [other, one];
    return { name, table, text: whole, columns };
  });
  return { tables, sources, foreignKeys, indexes };
}
