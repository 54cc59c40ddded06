// Goods that were lodged as a house consignment are shown with the MRN of their message, wherever a command shows an MRN.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Playground, startPlayground } from '@landfall/playground';
import { createPostgresql, type TestPostgresql, whyNoPostgresql } from '../testing/postgresql.js';
import { runCommand } from '../testing/run-command.js';
import { makeTemporaryFolder } from '../testing/temporary-folder.js';

const MRN = '23NO00000000000003';
const folder = await makeTemporaryFolder();
const data = join(folder, 'data');

describe('goods that were lodged', { skip: await whyNoPostgresql() }, () => {
  let database: TestPostgresql;
  let playground: Playground;

  before(async () => {
    database = await createPostgresql();
    playground = await startPlayground({ data, databaseUrl: database.url });
    await database.run(`
      with lodged as (update declaration set kind = 'HOUSE' where mrn = '${MRN}' returning id)
      update house_consignment
      set signal_head = replace(signal_head, '"entrySummaryDeclarationMRN"', '"houseConsignmentMRN"')
      where ens_id = (select id from lodged)`);
  });
  after(async () => {
    await playground?.close();
    await database?.drop();
  });

  const run = async (line: string) => {
    const result = await runCommand([...line.split(' '), '--data', data]);
    assert.equal(result.code, 0, `landfall ${line}\n${result.stdout}${result.stderr}`);
    return result.stdout;
  };

  it('commands for presenters', async () => {
    await run('present house-consignment --as carrier --document HC001 --type N740');
    assert.match(await run('routing list --as carrier'), new RegExp(`^HC001 +N740 +${MRN} `, 'm'));
    assert.match(
      await run('routing wait --as carrier --document HC001 --type N740'),
      new RegExp(`^HC001 +N740 +${MRN} `, 'm'),
    );
    const [signal] = JSON.parse(await run('routing list --as carrier --json'));
    assert.equal(signal.houseConsignmentMRN, MRN);
    assert(!('entrySummaryDeclarationMRN' in signal));
  });

  it('commands for the authority', async () => {
    const found = '--as authority --document HC001 --type N740';
    assert.match(await run(`consignment list ${found}`), new RegExp(`^HC001 +N740 +${MRN} `, 'm'));
    assert.match(await run(`consignment view ${found}`), new RegExp(`^HC001 N740, MRN ${MRN}: `));
    const routing = '--routing TO_CONTROL --location ON_ENTRY --reason test';
    const preview = await run(`routing-run create ${found} ${routing} --preview`);
    assert.match(preview, new RegExp(`^ +${MRN} +HC001 N740`, 'm'));
    const { id } = JSON.parse(await run(`routing-run create ${found} ${routing} --wait --json`));
    const results = await run(`routing-run results ${id} --as authority`);
    assert.match(results, new RegExp(`^${MRN} +HC001 +N740`, 'm'));
  });
});
