// Rows and bytes of the tables of a database. Partitions count for their table, and records of the audit trail if they
// are of one request.

/**
 * @param {import('pg').Client} client
 * @returns {Promise<Record<string, { rows: number, tableBytes: number, indexBytes: number }>>} tables with rows
 */
export async function readTableSizes(client) {
  const { rows } = await client.query(`
    select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name,
      sum(pg_table_size(c.oid))::bigint as table_bytes, sum(pg_indexes_size(c.oid))::bigint as index_bytes
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by 1 order by 1`);
  const sizes = {};
  for (const { name, table_bytes, index_bytes } of rows) {
    const counted = await client.query(`select count(*)::integer as count from ${name}`);
    const { count } = counted.rows[0];
    if (count === 0) continue;
    sizes[name] = {
      rows: count,
      tableBytes: Number(table_bytes),
      indexBytes: Number(index_bytes),
    };
  }
  sizes.audit_record = await readSingleRecords(client, sizes.audit_record);
  return sizes;
}

/** Of the audit trail, only the records with one request: how many requests share one depends on the load. */
async function readSingleRecords(client, all) {
  const { rows } = await client.query(`
    select count(*)::integer as count, sum(pg_column_size(r.*))::bigint as bytes
    from audit_record r
    where length(entry) - length(replace(entry, '"requestId"', '')) = length('"requestId"')`);
  const [{ count, bytes }] = rows;
  return {
    rows: count,
    tableBytes: Number(bytes),
    indexBytes: Math.round((all.indexBytes * count) / all.rows),
  };
}
