// The server is killed repeatedly in the middle of an import, and the same lines are sent again: the result is the same
// as that of one undisturbed import.
import { generatePreNotificationLines } from '@landfall/samples';
import { startIdentityProvider } from '../bench/goods.js';
import { startServer, stopTarget } from '../bench/processes.js';
import { admitUploader, upload, uploaderToken } from '../bench/upload.js';
import { migrate } from '../packages/service/dist/database/migrate.js';
import { openPostgresql } from '../packages/service/dist/database/postgresql.js';
import { makeCluster, untilReady } from './own-postgresql.js';
import { killNow, pause } from './present-while.js';

const HOUSES_PER_ENS = 200;

/** A digest that is equal for two databases exactly if the same data is registered in both. */
async function digest(database) {
  const [row] = await database.query({
    name: '',
    text: `
      select count(*)::integer as houses,
        md5(string_agg(md5(concat_ws('|', e.mrn, d.identifier, r.identifier, e.customs_office_of_first_entry, h.document_number,
          h.document_type, h.signal_head, h.routing, h.routing_control_location, h.master_document_number, h.receptacle_id,
          array_to_string(h.subheadings, ','),
          (select string_agg(container_id, ',' order by container_id) from house_consignment_container c
            where c.house_consignment_id = h.id))), '' order by e.mrn, h.document_type, h.document_number)) as content
      from house_consignment h join declaration e on e.id = h.ens_id
      join organisation d on d.id = e.declarant left join organisation r on r.id = e.representative`,
    values: [],
  });
  return row;
}

async function prepare(database) {
  await migrate(database);
  await database.transact((transaction) => transaction.run(admitUploader));
}

export async function killImport({ folder, times, report, small }) {
  const ens = small ? 30 : 300;
  const houses = ens * HOUSES_PER_ENS;
  const port = 19_000 + (process.pid % 500) * 2;
  const cluster = makeCluster(folder, port - 1);
  const postgresql = cluster.start();
  await untilReady(cluster.url);
  const provider = await startIdentityProvider();
  const disturbed = openPostgresql(cluster.url);
  await disturbed.query({ name: '', text: 'create database undisturbed', values: [] });
  const calmUrl = Object.assign(new URL(cluster.url), { pathname: '/undisturbed' }).href;
  const calm = openPostgresql(calmUrl);
  await Promise.all([prepare(disturbed), prepare(calm)]);
  const serve = (url) =>
    startServer({ port, location: url, keysFolder: `${folder}/keys`, provider });
  const body = [[...generatePreNotificationLines({ ens, houses, seed: 7 })].join('')];
  const broken = [];

  let server = await serve(calmUrl);
  const began = performance.now();
  const once = await upload(port, await uploaderToken(provider, port), body);
  const took = performance.now() - began;
  await stopTarget(server);
  if (once.statuses.REGISTERED !== houses + ens) {
    broken.push(`an undisturbed import resulted in ${JSON.stringify(once)}`);
  }

  for (let time = 1; time <= times; time++) {
    server = await serve(cluster.url);
    const sending = upload(port, await uploaderToken(provider, port), body);
    // Existing data is processed faster than new data, so each round gets further than the previous one.
    await pause((took * (0.2 + Math.random())) / 3);
    await killNow(server);
    const { results, statuses } = await sending;
    const { houses: stored } = await digest(disturbed);
    report(
      `killed ${time} of ${times}; ${results} results ${JSON.stringify(statuses)}, ${stored} registered`,
    );
    const registered = (statuses.REGISTERED ?? 0) + (statuses.UNCHANGED ?? 0);
    if (registered > stored + ens)
      broken.push(`${registered} were reported as registered, ${stored} are`);
  }
  server = await serve(cluster.url);
  const last = await upload(port, await uploaderToken(provider, port), body);
  await stopTarget(server);
  report(`sent a last time: ${JSON.stringify(last.statuses)}`);
  if (!last.whole || last.results !== houses + ens) {
    broken.push(`the last import resulted in ${JSON.stringify(last)}`);
  }
  const [one, other] = [await digest(disturbed), await digest(calm)];
  if (one.content !== other.content) {
    broken.push(
      `${one.houses} house consignments are registered, or different ones; undisturbed there are ${other.houses}`,
    );
  }
  await Promise.all([disturbed.close(), calm.close()]);
  provider.stop();
  postgresql.kill('SIGKILL');
  return broken;
}
