// The data of a run: organisations with their tokens, and goods that are pre-notified and decided.
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { AUDIT_LOCK } from '../packages/service/dist/database/locks.js';
import { send } from './send.js';

export const ORGANISATIONS = 50;
export const HOUSES_PER_ENS = 100;

/** The numbers of the organisations that present in the plain load. */
const plainPresenters = Array.from({ length: ORGANISATIONS }, (_, number) => number);

const organisation = (number) => `0192:${String(810_000_000 + number)}`;

/**
 * An identity provider for the duration of the run; it signs every requested token.
 *
 * @param {{ host?: string, tls?: { cert: Buffer, key: Buffer } }} listen `tls`: with a certificate for the host
 */
export async function startIdentityProvider({ host = '127.0.0.1', tls } = {}) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const keys = {
    keys: [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' }],
  };
  const respond = (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(keys));
  };
  const server = tls ? createSecureServer(tls, respond) : createServer(respond);
  await new Promise((resolve) => server.listen(0, host, () => resolve(undefined)));
  const issuer = `${tls ? 'https' : 'http'}://${host}:${server.address().port}`;
  const sign = (number, scope) =>
    new SignJWT({
      scope,
      client_id: `bench-${number}`,
      consumer: { authority: 'iso6523-actorid-upis', ID: organisation(number) },
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'bench', typ: 'JWT' })
      .setIssuer(issuer)
      .setIssuedAt()
      .setExpirationTime('2m')
      .setJti(crypto.randomUUID())
      .sign(privateKey);
  return { issuer, sign, privateJwk: await exportJWK(privateKey), stop: () => server.close() };
}

/** Customs tokens of all organisations, from the real exchange. */
export async function exchangeTokens(
  provider,
  port,
  scope = 'customs:movement/entry',
  [first, ...others] = plainPresenters,
) {
  const exchange = (number) => exchangeToken(provider, port, number, scope);
  // At the first one the server reads the keys of the provider, which then signs in the same process as they are served.
  return [await exchange(first), ...(await Promise.all(others.map(exchange)))];
}

/** The customs token of one organisation for one scope. */
export async function exchangeToken(provider, port, number, scope) {
  const response = await send(port, '/api/access/external/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'token-exchange',
      subject_token_type: 'access_token',
      subject_token: await provider.sign(number, scope),
    }),
  });
  return (await response.json()).access_token;
}

/** Fills a migrated database with decided house consignments, whose presenter is also their declarant. */
export async function fillDatabase(database, houses) {
  await addOrganisations(database);
  await addDeclarations(database, 0, Math.ceil(houses / HOUSES_PER_ENS));
  const block = 100_000;
  for (let start = 0; start < houses; start += block) {
    await addHouseConsignments(database, start, Math.min(houses, start + block));
  }
  await runMaintenance(database);
}

const run = (database, script) => database.transact((transaction) => transaction.run(script));

/** Adds the organisations that present in the plain load. The first may also find house consignments and decide. */
export async function addOrganisations(database) {
  await run(
    database,
    `
    insert into organisation (identifier)
      select '0192:' || (810000000 + number) from generate_series(0, ${ORGANISATIONS - 1}) number;
    insert into organisation_scope (organisation_id, scope)
      select id, 'movement/entry' from organisation where identifier like '0192:81%';
    insert into organisation_scope (organisation_id, scope)
      select id, scope from organisation, unnest(array['authority/registry', 'authority/routing']) scope
      where identifier = '0192:810000000';
    select append_audit_record(${AUDIT_LOCK}, '{"action":"bench.organisations","details":{}}');`,
  );
}

/** Adds declarations (ENS) with the numbers from `start` up to, but not including, `end`. */
export async function addDeclarations(database, start, end) {
  await run(
    database,
    `
    insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant)
      select '26NO' || lpad(number::text, 14, '0'), 'NO351001', o.id
      from generate_series(${start}, ${end - 1}) number
      join organisation o on o.identifier = '0192:' || (810000000 + number % ${ORGANISATIONS})
      order by number;`,
  );
}

/**
 * Adds the house consignments of these declarations, with the numbers from `start` up to, but not including, `end`.
 *
 * @param hasKeys whether the schema has the keys of documents, which that of the previous release lacks
 */
export async function addHouseConsignments(database, start, end, hasKeys = true) {
  const keys = hasKeys ? 'document_key, master_document_key,' : '';
  const keyValues = hasKeys ? `document, 'MAWB' || number / ${HOUSES_PER_ENS},` : '';
  await run(
    database,
    `
      insert into house_consignment (id, ens_id, document_number, document_type, master_document_number,
        master_document_type, ${keys} signal_head, routing)
      select (lpad(to_hex(number), 12, '0') || '7000' || substr(md5(number::text), 1, 16))::uuid, e.id,
        document, 'N740', 'MAWB' || number / ${HOUSES_PER_ENS}, 'N741', ${keyValues}
        '{"entrySummaryDeclarationMRN":"' || e.mrn || '","transportDocumentHouseLevel":{"documentNumber":"'
          || document || '","referenceNumber":"' || document || '","type":"N740"},'
          || '"transportDocumentMasterLevel":{"documentNumber":"MAWB' || number / ${HOUSES_PER_ENS}
          || '","type":"N741"},"estimatedTimeOfArrival":"2026-11-21T10:00:00.000Z",'
          || '"activeBorderTransportMeans":{"identificationNumber":"SK4711","typeOfIdentification":"40"}',
        case when number % 20 = 0 then 'TO_CONTROL' else 'TO_ENTRY' end
      from (
        select number, 'HAWB' || lpad(number::text, 8, '0') as document
        from generate_series(${start}, ${end - 1}) number
      ) numbered
      join entry_summary_declaration e on e.mrn = '26NO' || lpad((number / ${HOUSES_PER_ENS})::text, 14, '0');`,
  );
}

/**
 * Runs the maintenance that PostgreSQL would otherwise run during a measurement, after many goods were written. Tables
 * that presentations fill are left out: analysed while they are empty, they would get slow plans.
 */
export async function runMaintenance(database) {
  for (const text of [
    'vacuum (analyze) organisation, declaration, house_consignment',
    'checkpoint',
  ]) {
    await database.query({ name: '', text, values: [] });
  }
}
