// Checks in the database that every promise was kept: nothing acknowledged is lost, nothing is half done, no gap.

/** Each violation of a promise, and a query that counts it. */
const promises = {
  'statuses of a feed are not numbered from 1 without a gap': `
    select count(*) from (
      select owner from validation_status group by owner having count(*) <> max(position) or min(position) <> 1) broken`,
  'signals of a feed are not numbered from 1 without a gap': `
    select count(*) from (
      select owner from routing_signal group by owner having count(*) <> max(position) or min(position) <> 1) broken`,
  'markers do not contain their position': `
    select count(*) from routing_signal
    where ('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint <> position`,
  'house consignments are connected without a signal': `
    select count(*) from signal_recipient c join house_consignment h on h.id = c.house_consignment_id
    where h.routing is not null and not exists (
      select from routing_signal s where s.owner = c.organisation_id
        and s.entry::json -> 'transportDocumentHouseLevel' ->> 'documentNumber' = h.document_number)`,
  'organisations have a signal twice, or one without a recipient': `
    select abs((select count(*) from routing_signal) - (select count(*) from signal_recipient))`,
  'statuses say SUCCESS and nothing is presented': `
    select count(*) from validation_status s
    where not failed and not exists (
      select from house_consignment h join signal_recipient c on c.house_consignment_id = h.id
      where h.ens_id = s.ens_id and c.organisation_id = s.owner)`,
};

/** Describes every broken promise. */
export async function checkPromises(database, account) {
  const broken = account.wrong.map((response) => `a writer received ${response}`);
  for (const [promise, text] of Object.entries(promises)) {
    const [row] = await database.query({ name: '', text, values: [] });
    const count = Number(Object.values(row)[0]);
    if (count !== 0) broken.push(`${promise} (${count})`);
  }
  const [{ found }] = await database.query({
    name: '',
    text: 'select count(*)::integer as found from validation_status where not failed and id = any($1::uuid[])',
    values: [account.acknowledged],
  });
  if (found !== account.acknowledged.length) {
    broken.push(`${account.acknowledged.length - found} acknowledged presentations are lost`);
  }
  const [{ presented }] = await database.query({
    name: '',
    text: 'select count(*)::integer as presented from validation_status where not failed',
    values: [],
  });
  if (presented !== account.acknowledged.length) {
    broken.push(
      `${presented} presentations are recorded, ${account.acknowledged.length} were acknowledged or settled`,
    );
  }
  return broken;
}
