// The authority's upload: its token, and lines in one request with what became of them.
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Who uploads: makes it known in a migrated database, with the scope that it takes. */
export const admitUploader = `
  insert into organisation (identifier, name) values ('0192:810000000', 'uploader');
  insert into organisation_scope (organisation_id, scope)
    select id, 'authority/registry' from organisation where identifier = '0192:810000000';`;

/** The uploader's customs token, by the real exchange. */
export async function uploaderToken(provider, port) {
  const response = await fetch(`http://127.0.0.1:${port}/api/access/external/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'token-exchange',
      subject_token_type: 'access_token',
      subject_token: await provider.sign(0, 'customs:authority/registry'),
    }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`no token: ${JSON.stringify(answer)}`);
  return answer.access_token;
}

/**
 * Sends lines in one request.
 *
 * @param {AsyncIterable<string | Buffer> | Iterable<string | Buffer>} parts
 * @returns how many results there are of each status, and whether the answer came to its end
 */
export async function upload(port, token, parts) {
  const account = { answered: 0, statuses: {}, whole: false };
  const sent = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/api/authority/v1/entry-summary-declarations',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
  });
  const answered = new Promise((resolve) => {
    sent.on('error', resolve);
    sent.on('response', (answer) => {
      let rest = '';
      answer.setEncoding('utf8');
      answer.on('data', (text) => {
        const lines = `${rest}${text}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const { status } = JSON.parse(line);
          account.statuses[status] = (account.statuses[status] ?? 0) + 1;
          account.answered++;
        }
      });
      answer.on('end', () => {
        account.whole = answer.complete;
      });
      answer.on('error', resolve);
      answer.on('close', resolve);
    });
  });
  // Where the connection is lost, the account tells how far it came.
  await pipeline(Readable.from(parts), sent).catch(() => undefined);
  await answered;
  return account;
}
