// The groups of statements, on the schema of this repository.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { classify, features, groups } from './classify.js';
import { readSchema } from './read-schema.js';
import { classifyAll, makeDistributionReference } from './report.js';
import { distributionOf } from './tables.js';

const schema = readSchema(
  readFileSync(new URL('../../packages/service/schema.sql', import.meta.url), 'utf8'),
);
const groupOf = (text) => classify(text, schema).group;

test('each kind of statement is in its group', () => {
  /** @type {Record<keyof typeof groups, string>} */
  const examples = {
    'no goods and no feeds': 'select name from organisation where id = $1',
    'one organisation': 'select entry from routing_signal where owner = $1 and position > $2',
    'several organisations':
      'select max(position) from unnest($1::integer[]) owner join routing_signal using (owner)',
    'goods by id or declaration': 'select * from house_consignment where id = $1',
    'goods by document, container or receptacle':
      'select id from house_consignment h where h.document_number = $1',
    'goods and organisations':
      'select * from house_consignment h join signal_recipient on house_consignment_id = h.id',
    'writes for several':
      'with added as (insert into routing_signal (owner) values ($1)) insert into routing_decision default values',
    'audit trail': 'select digest from audit_record where chain = $1',
    'stream of goods items': 'select entry from goods_item_event where owner = 0',
  };
  assert.deepEqual(
    Object.values(examples).map((text) => groupOf(text)),
    Object.keys(groups),
  );
});

test('what a function of the database does counts for the statement that calls it', () => {
  const recorded = classify('select append_audit_record($1, $2)', schema);
  assert(recorded.written.includes('audit_record'));
  assert.deepEqual(recorded.features.slice(0, 2), ['advisory locks', 'PL/pgSQL']);
  assert.deepEqual(classify('select lock_in_order(1, $1, 2)', schema).features, [
    'advisory locks',
    'PL/pgSQL',
    'PL/pgSQL exceptions',
    'settings of a transaction',
  ]);
  assert.equal(
    groupOf('select * from find_house_consignment($1, $2, $3)'),
    'goods by document, container or receptacle',
  );
});

test('comments do not count, and a table that is not listed is by its columns', () => {
  assert.deepEqual(classify('select 1 -- from routing_signal for update', schema), {
    touched: new Map(),
    written: [],
    features: [],
    group: 'no goods and no feeds',
  });
  assert.equal(distributionOf({ name: 'new_feed', columns: ['owner', 'entry'] }), 'organisation');
  assert.equal(distributionOf({ name: 'new_list', columns: ['name'] }), 'everywhere');
});

test('the commits of presentations and decisions write for several, and reading a feed is for one', () => {
  const classified = classifyAll(schema);
  const group = (wanted) => classified.find(({ name }) => name === wanted)?.group;
  for (const name of ['commit-house-consignments', 'commit-level', 'write-decisions']) {
    assert.equal(group(name), 'writes for several', name);
  }
  assert.equal(group('page-routing_signal-json-all'), 'one organisation');
  assert.equal(group('lock-house-consignments'), 'goods and organisations');
  for (const feature of Object.keys(features)) {
    assert(
      classified.some((each) => each.features.includes(feature)),
      `no statement uses ${feature}`,
    );
  }
});

test('the reference has every table, foreign key and statement, and every key without its column', () => {
  const reference = makeDistributionReference(schema);
  for (const table of schema.tables.keys()) assert(reference.includes(`| \`${table}\` |`), table);
  for (const { name } of classifyAll(schema)) assert(reference.includes(`| \`${name}\` |`), name);
  assert.match(
    reference,
    /\| `house_consignment` \| `entry_summary_declaration` \| on the same server/,
  );
  assert.match(
    reference,
    /- `entry_summary_declaration`: `entry_summary_declaration_mrn_key` \(mrn\)/,
  );
  assert.doesNotMatch(reference, /- `routing_signal`/);
  assert.doesNotMatch(reference, /- `house_consignment`: `house_consignment_document_number/);
});
