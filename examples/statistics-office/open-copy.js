// The database that an address names.

/** @param {string} database an address of PostgreSQL, or a file of SQLite */
export async function openCopy(database) {
  if (/^postgres(?:ql)?:/.test(database)) {
    const { PostgresqlCopy } = await import('./postgresql-copy.js');
    return PostgresqlCopy.open(database);
  }
  const { SqliteCopy } = await import('./sqlite-copy.js');
  return new SqliteCopy(database);
}
