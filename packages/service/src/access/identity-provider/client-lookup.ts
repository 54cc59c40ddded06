// Clients as they are registered now: nothing of them is remembered, and those asked for together share a query.
import { Batch } from '../../database/batch.js';
import type { Database } from '../../database/database.js';
import { type ClientRow, findClients } from '../queries.js';

/** Looks a client up; `undefined` where it is not registered. */
export type FindClient = (clientId: string) => Promise<ClientRow | undefined>;

/** Makes the look-up. Whoever asks while an answer is under way shares the next one. */
export function makeFindClient(database: Database): FindClient {
  const batch = new Batch<string, { found: ClientRow | undefined }>(async (clientIds) => {
    const rows = await database.lookUps.query<ClientRow>(findClients([...new Set(clientIds)]));
    const known = new Map(rows.map((row) => [row.clientId, row]));
    return clientIds.map((clientId) => ({ found: known.get(clientId) }));
  });
  return async (clientId) => (await batch.submit(clientId)).found;
}
