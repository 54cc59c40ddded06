// Any two filters of a search together: its pages have what a plain filter of all goods has, once and in one order.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { HouseConsignment, HouseConsignmentQuery } from '@landfall/contract';
import fc from 'fast-check';
import type { Database } from '../database/database.js';
import { drawnDatabases } from '../testing/databases.js';
import { firstIdOf, listHouseConsignments } from './list-house-consignments.js';
import { selectHouseConsignments } from './select-house-consignments.js';

type Filters = Omit<HouseConsignmentQuery, 'marker' | 'limit'>;

/** What a house consignment has of each filter. */
type Goods = {
  id: string;
  declaration: number;
  documentNumber: string;
  type: string;
  master: string | undefined;
  receptacle: string | undefined;
  container: string | undefined;
  routing: boolean;
  presenter: number | undefined;
  withdrawn: boolean;
  profile: { name: string; version: number; rule: number; run: number } | undefined;
};

const MRNS = ['26NO00000000000001', '26NO00000000000002'];
const OFFICES = ['NO351001', 'NO421002'];
const ORGANISATIONS = ['0192:1', '0192:2', '0192:3'];
const MASTERS = ['M1', 'M2'];
const RECEPTACLES = ['R1', 'R2'];
const CONTAINERS = ['CSQU3054383', 'MSKU0000011'];
const PROFILES = ['express', 'post'];
const RUNS = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];
const START = Date.parse('2026-03-01T00:00:00Z');

const maybe = <Value>(values: readonly Value[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined });
const oneOf = <Value>(values: readonly Value[]) => fc.constantFrom(...values);

const anyGoods = fc.record({
  declaration: fc.constantFrom(0, 0, 0, 1),
  master: maybe(MASTERS),
  receptacle: maybe(RECEPTACLES),
  container: maybe(CONTAINERS),
  routing: fc.boolean(),
  presenter: maybe([0, 1, 2]),
  withdrawn: fc.constantFrom(false, false, false, true),
  profile: fc.option(
    fc.record({
      name: oneOf(PROFILES),
      version: oneOf([1, 2]),
      rule: oneOf([1, 2]),
      run: oneOf([0, 1]),
    }),
    { nil: undefined },
  ),
});

const stateOf = ({ withdrawn, presenter, routing }: Goods) => {
  if (withdrawn) return 'WITHDRAWN';
  if (presenter !== undefined) return routing ? 'SIGNALLED' : 'PRESENTED';
  return routing ? 'DECIDED' : 'PRE_NOTIFIED';
};
const timeOf = ({ id }: Goods) =>
  new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString();

/** Each filter: its values, and what it asks of goods. */
const filters: {
  [Name in keyof Required<Filters>]: {
    values: fc.Arbitrary<NonNullable<Filters[Name]>>;
    matches: (goods: Goods, value: NonNullable<Filters[Name]>) => boolean;
  };
} = {
  mrn: { values: oneOf(MRNS), matches: ({ declaration }, mrn) => MRNS[declaration] === mrn },
  documentNumber: {
    values: oneOf(['d0', 'D1', 'D 2', 'D3']),
    matches: ({ documentNumber }, number) =>
      documentNumber === number.toUpperCase().replace(' ', ''),
  },
  type: { values: oneOf(['N740', 'N703'] as const), matches: ({ type }, value) => type === value },
  masterDocumentNumber: {
    values: oneOf(['m 1', 'M2']),
    matches: ({ master }, number) => master === number.toUpperCase().replace(' ', ''),
  },
  receptacleId: {
    values: oneOf(RECEPTACLES),
    matches: ({ receptacle }, value) => receptacle === value,
  },
  containerId: {
    values: oneOf(CONTAINERS),
    matches: ({ container }, value) => container === value,
  },
  organisation: {
    values: oneOf(ORGANISATIONS),
    matches: ({ declaration, presenter, withdrawn }, value) =>
      ORGANISATIONS[declaration] === value ||
      (!withdrawn && presenter !== undefined && ORGANISATIONS[presenter] === value),
  },
  state: {
    values: oneOf(['PRE_NOTIFIED', 'DECIDED', 'PRESENTED', 'SIGNALLED', 'WITHDRAWN'] as const),
    matches: (goods, state) => stateOf(goods) === state,
  },
  office: {
    values: oneOf(OFFICES),
    matches: ({ declaration }, office) => OFFICES[declaration] === office,
  },
  profile: { values: oneOf(PROFILES), matches: ({ profile }, name) => profile?.name === name },
  profileVersion: {
    values: oneOf([1, 2]),
    matches: ({ profile }, version) => profile?.version === version,
  },
  profileRule: { values: oneOf([1, 2]), matches: ({ profile }, rule) => profile?.rule === rule },
  run: {
    values: oneOf(RUNS),
    matches: ({ profile }, run) => profile !== undefined && RUNS[profile.run] === run,
  },
  from: {
    values: oneOf([0, 7, 20].map((seconds) => new Date(START + seconds * 1000).toISOString())),
    matches: (goods, from) => timeOf(goods) >= from,
  },
  to: {
    values: oneOf([13, 30, 60].map((seconds) => new Date(START + seconds * 1000).toISOString())),
    matches: (goods, to) => timeOf(goods) < to,
  },
};
// The cast is true because these are the keys of `filters`.
const names = Object.keys(filters) as (keyof Filters)[];

const pairs = names.flatMap((one, index) => names.slice(index).map((other) => [one, other]));

/** Values of two filters, and whether goods match them. */
const valuesOf = (given: readonly (keyof Filters)[]) =>
  fc.record(
    Object.fromEntries(given.map((name) => [name, filters[name].values])),
  ) as fc.Arbitrary<Filters>; // The cast is true because each filter has its own values.

function matches(goods: Goods, given: Filters): boolean {
  // Without `state`, a search finds what is not withdrawn.
  if (goods.withdrawn !== (given.state === 'WITHDRAWN')) return false;
  return names.every((name) => {
    const value = given[name];
    // The cast is true because the filter has this name.
    const filter = filters[name] as { matches: (goods: Goods, value: unknown) => boolean };
    return value === undefined || filter.matches(goods, value);
  });
}

/** Goods of a declaration are in the order of their documents, withdrawn ones and all others in that of their ids. */
function inOrder(found: readonly Goods[], given: Filters): string[] {
  const key = ({ id, documentNumber, type }: Goods) =>
    given.mrn !== undefined && given.state !== 'WITHDRAWN' ? `${documentNumber} ${type}` : id;
  return [...found].sort((a, b) => (key(a) < key(b) ? -1 : 1)).map(({ id }) => id);
}

const literal = (value: string | number | boolean | undefined) =>
  value === undefined ? 'null' : `'${value}'`;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`two filters of a search on ${name}`, { skip }, () => {
    let database: Database;
    const all: Goods[] = [];

    before(async () => {
      database = await open();
      // One seed: each pair of filters meets the same goods.
      const sample = fc.sample(anyGoods, { numRuns: 120, seed: 34 });
      sample.forEach((goods, index) => {
        const milliseconds = firstIdOf(new Date(START + (index % 40) * 1000)).slice(0, 14);
        all.push({
          ...goods,
          id: `${milliseconds}7${String(index).padStart(3, '0')}-8000-000000000000`,
          // Each number has two types.
          documentNumber: `D${index >> 1}`,
          type: index % 2 === 0 ? 'N740' : 'N703',
        });
      });
      await database.transact((transaction) => transaction.run(insertAll(all)));
    });
    after(() => database.close());

    test('pages of any size have what a plain filter has, in one order', async () => {
      for (const pair of pairs) {
        await fc.assert(
          fc.asyncProperty(valuesOf(pair), fc.integer({ min: 1, max: 9 }), async (given, limit) => {
            const expected = inOrder(
              all.filter((goods) => matches(goods, given)),
              given,
            );
            const read: string[] = [];
            let marker: string | undefined;
            for (let pages = 0; pages < 200; pages++) {
              const { body, count, next } = await listHouseConsignments(database, {
                ...given,
                limit,
                ...(marker && { marker }),
              });
              const found: HouseConsignment[] = JSON.parse(body);
              assert.equal(found.length, count);
              assert(count <= limit);
              read.push(...found.map(({ id }) => id));
              marker = next;
              if (next === undefined) break;
            }
            assert.equal(marker, undefined, 'the pages do not end');
            assert.deepEqual(read, expected);
          }),
          { numRuns: 4 },
        );
      }
    });

    test('a selection has what a plain filter has', async () => {
      for (const pair of pairs) {
        await fc.assert(
          fc.asyncProperty(valuesOf(pair), async (given) => {
            const selection = await selectHouseConsignments(database, given, {
              found: 1000,
              examined: 100_000,
            });
            assert(Array.isArray(selection));
            assert.deepEqual(
              selection.map(([id]) => id).sort(),
              all
                .filter((goods) => matches(goods, given))
                .map(({ id }) => id)
                .sort(),
            );
          }),
          { numRuns: 2 },
        );
      }
    });
  });
}

function insertAll(all: readonly Goods[]): string {
  const organisation = (identifier: string | undefined) =>
    `(select id from organisation where identifier = ${literal(identifier)})`;
  const declaration = (index: number) =>
    `(select id from entry_summary_declaration where mrn = ${literal(MRNS[index])})`;
  const houses = all.map((goods) => {
    const { id, documentNumber, type, master, receptacle, container, withdrawn, profile } = goods;
    const head = `{"containerId":${JSON.stringify(container === undefined ? [] : [container])}`;
    const values = [id, documentNumber, documentNumber, type, head, receptacle, master].map(
      literal,
    );
    const statements = [
      `insert into ${withdrawn ? 'withdrawn_' : ''}house_consignment (ens_id, id, document_number, document_key,
          document_type, signal_head, receptacle_id, master_document_number, master_document_key, master_document_type,
          routing ${withdrawn ? ', withdrawal' : ''})
        values (${declaration(goods.declaration)}, ${values.join(', ')}, ${literal(master)}, ${literal(master && 'N741')},
          ${literal(goods.routing ? 'TO_ENTRY' : undefined)} ${withdrawn ? ', 1' : ''})`,
    ];
    if (container !== undefined && !withdrawn) {
      statements.push(`insert into house_consignment_container (container_id, house_consignment_id, ens_id)
        values (${literal(container)}, ${literal(id)}, ${declaration(goods.declaration)})`);
    }
    if (goods.presenter !== undefined && !withdrawn) {
      const presenter = organisation(ORGANISATIONS[goods.presenter]);
      statements.push(`insert into signal_recipient (house_consignment_id, organisation_id, presenter, request_id)
        values (${literal(id)}, ${presenter}, ${presenter}, gen_random_uuid())`);
    }
    if (profile !== undefined) {
      statements.push(`insert into routing_decision (house_consignment_id, number, decided_at, routing, request_id, origin,
          profile, profile_version, profile_rule, run_id)
        values (${literal(id)}, 1, now(), 'TO_ENTRY', 'r', 'PROFILE', ${literal(profile.name)}, ${profile.version},
          ${profile.rule}, ${literal(RUNS[profile.run])})`);
    }
    return statements.join(';\n');
  });
  return `
    insert into organisation (identifier) values ${ORGANISATIONS.map((one) => `(${literal(one)})`).join(', ')};
    insert into registration (id, at, request_id) overriding system value values (1, now(), gen_random_uuid());
    ${MRNS.map(
      (
        mrn,
        index,
      ) => `insert into entry_summary_declaration (mrn, customs_office_of_first_entry, declarant)
      values (${literal(mrn)}, ${literal(OFFICES[index])}, ${organisation(ORGANISATIONS[index])})`,
    ).join(';\n')};
    ${houses.join(';\n')};
    analyze`;
}
