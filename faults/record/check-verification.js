// The audit trail at the end of a run: it is intact, a record that was changed is found, and the status says so until a
// verification that looks at the same again finds nothing.

/** Verifies the trail with the command; describes each break. */
export async function checkAuditTrail(service) {
  const { stdout } = await service.run('admin', 'audit', 'verify', '--json');
  const { intact, breaks, records } = JSON.parse(stdout);
  if (intact && records > 0) return [];
  return [`the audit trail of ${records} records is broken: ${JSON.stringify(breaks)}`];
}

/**
 * Changes a status in the database, as somebody with access to it could, and verifies the trail: wholly, and only its
 * records, which are intact. The break must stay in the status of the service. At the end it is undone.
 */
export async function checkBreakStays(service, client) {
  const [status] = await service.query(
    'select owner, id, entry::text as entry from validation_status order by owner, id limit 1',
  );
  const write = (entry) =>
    service.query('update validation_status set entry = $3 where owner = $1 and id = $2', [
      status.owner,
      status.id,
      entry,
    ]);
  await write(status.entry.replace('"status"', '"Status"'));
  try {
    const whole = await service.run('admin', 'audit', 'verify', '--json');
    if (whole.code === 0) return ['a status that was changed in the database is not found'];
    if (!(await showsBreak(client))) return ['the status does not say that the trail is broken'];
    await service.run('admin', 'audit', 'verify', '--records-only', '--json');
    return (await showsBreak(client))
      ? []
      : [
          'after a verification of records only, the status no longer says that the trail is broken',
        ];
  } finally {
    await write(status.entry);
  }
}

async function showsBreak(client) {
  const response = await client.send(0, {
    by: 0,
    scope: 'authority/operations',
    path: '/api/authority/v1/service-status',
  });
  if (response?.status !== 200) throw new Error(`no status: ${response?.text}`);
  return response.body.problems.some(({ code }) => code === 'AUDIT_BROKEN');
}
