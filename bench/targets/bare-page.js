// The baseline for pages that are not cached: a bare node:http server that selects the entries after the marker with
// the same driver, and joins the rows. It has no tokens, no limit in bytes and no cache.
import { createServer } from 'node:http';
import { openPostgresql } from '../../packages/service/dist/database/postgresql.js';

const [port, url, owner] = process.argv.slice(2);
const database = openPostgresql(url);

const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url, 'http://localhost');
  // A marker has the position of its entry in its first 48 bits.
  const position = Number.parseInt(searchParams.get('marker').replaceAll('-', '').slice(0, 12), 16);
  const rows = await database.query({
    name: 'bare-page',
    text: 'select entry from routing_signal where owner = $1 and position > $2 order by position limit $3',
    values: [Number(owner), position, Number(searchParams.get('limit'))],
  });
  const bytes = Buffer.from(`[${rows.map(({ entry }) => entry).join(',')}]`);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
});
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
