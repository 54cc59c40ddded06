// The authority's upload: its token, and lines in one request with their results.
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { exchangeToken } from './goods.js';
import { send } from './send.js';

/** Adds the uploading organisation and its scope to a migrated database. */
export const admitUploader = `
  insert into organisation (identifier, name) values ('0192:810000000', 'uploader');
  insert into organisation_scope (organisation_id, scope)
    select id, 'authority/registry' from organisation where identifier = '0192:810000000';`;

/** The uploader's customs token, from the real exchange. */
export const uploaderToken = (provider, port) =>
  exchangeToken(provider, port, 0, 'customs:authority/registry');

/**
 * Sends lines in one request.
 *
 * @param {AsyncIterable<string | Buffer> | Iterable<string | Buffer>} parts
 * @returns the number of results for each status, and whether the response is complete; throws when it is refused
 */
export async function upload(port, token, parts) {
  const account = { results: 0, statuses: {}, whole: false };
  const sent = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/api/authority/v1/entry-summary-declarations',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
  });
  const ended = new Promise((resolve, reject) => {
    sent.on('error', resolve);
    sent.on('response', (response) => {
      if (response.statusCode !== 200) {
        text(response).then(
          (body) => reject(new Error(`upload: ${response.statusCode} ${body}`)),
          reject,
        );
        return;
      }
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        const lines = `${rest}${part}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const { status } = JSON.parse(line);
          account.statuses[status] = (account.statuses[status] ?? 0) + 1;
          account.results++;
        }
      });
      response.on('end', () => {
        account.whole = response.complete;
      });
      response.on('error', resolve);
      response.on('close', resolve);
    });
  });
  // If the connection is lost, the account contains the results so far.
  await Promise.all([pipeline(Readable.from(parts), sent).catch(() => undefined), ended]);
  return account;
}

/** Posts values as lines of one request; returns the response, which may begin before all lines are sent. */
export async function postLines(port, path, token, values) {
  const lines = function* () {
    for (const value of values) yield Buffer.from(`${JSON.stringify(value)}\n`);
  };
  return send(port, path, {
    method: 'POST',
    body: Readable.toWeb(Readable.from(lines())),
    duplex: 'half',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
  });
}

/** Posts values as lines and passes each result to `take` as it arrives; returns the number of results. */
export async function sendLines(port, path, token, values, take) {
  const response = await postLines(port, path, token, values);
  let line = 0;
  for await (const written of createInterface({ input: Readable.fromWeb(response.body) })) {
    const result = JSON.parse(written);
    if (result.line !== ++line)
      throw new Error(`line ${line} has the result of line ${result.line}`);
    take(result);
  }
  return line;
}
