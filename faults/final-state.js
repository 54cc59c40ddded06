// What the database has at the end, for the checker.

/**
 * `statuses`: by requestId, whether the request failed. `feeds`: by the number of the organisation, its signals in their
 * order, each with the number of its house consignment.
 *
 * @typedef {{ statuses: Map<string, { failed: boolean }>, feeds: Map<number, { id: string, house: number }[]> }} FinalState
 */

/** @returns {Promise<FinalState>} */
export async function readFinalState(database) {
  const read = (text) => database.query({ name: '', text, values: [] });
  const statuses = await read('select id::text, failed from validation_status');
  const signals = await read(`
    select substr(o.identifier, 6)::integer - 810000000 as organisation, s.id::text,
      substr(s.entry::json -> 'transportDocumentHouseLevel' ->> 'documentNumber', 5)::integer as house
    from routing_signal s join organisation o on o.id = s.owner
    order by s.owner, s.position`);
  const feeds = new Map();
  for (const { organisation, id, house } of signals) {
    if (!feeds.has(organisation)) feeds.set(organisation, []);
    feeds.get(organisation).push({ id, house });
  }
  return { statuses: new Map(statuses.map(({ id, failed }) => [id, { failed }])), feeds };
}
