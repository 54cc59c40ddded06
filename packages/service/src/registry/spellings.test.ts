// A document is one document however it is spelled: every operation that takes a document number finds the same goods with
// each spelling. The operations are read from the contract, so a new one is named until it has a case.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  type EntrySummaryDeclaration,
  type HouseConsignment,
  type HouseConsignmentEvent,
  type Operation,
  operations,
  type RegistrationResult,
  type ReleaseCheck,
  type RoutingDecisionResult,
  type RoutingSignal,
} from '@landfall/contract';
import { spellingsOf } from '../../../contract/dist/testing/spellings.js';
import { verifyAudit } from '../audit/verify-audit.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import {
  DECLARATIONS,
  declaration,
  errorsOf,
  house,
  TestRegistry,
} from '../testing/registry-client.js';

const GOODS = '/api/authority/v1/house-consignments';

type SearchedSchema = {
  $id?: string;
  properties?: Record<string, SearchedSchema>;
  items?: SearchedSchema;
  anyOf?: SearchedSchema[];
  contentSchema?: SearchedSchema;
};

/** The paths of all document numbers, and of identifiers that may be one. */
function documentsIn(schema: SearchedSchema = {}, path: string[] = []): string[] {
  if (schema.$id === 'TransportDocument') return [path.join('.')];
  const parts = [
    ...Object.entries(schema.properties ?? {}).map(([name, part]) => [part, [name]] as const),
    ...(schema.anyOf ?? []).map((part) => [part, []] as const),
    ...(schema.items === undefined ? [] : [[schema.items, ['*']] as const]),
    ...(schema.contentSchema === undefined ? [] : [[schema.contentSchema, ['line']] as const]),
  ];
  return parts.flatMap(([part, names]) =>
    names.some((name) => /^(documentNumber|masterDocumentNumber|identifier)$/.test(name))
      ? [[...path, ...names].join('.')]
      : documentsIn(part, [...path, ...names]),
  );
}

/** Goods as they were registered. */
type Goods = { mrn: string; id: string; number: string; master: string };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`spellings of a document on ${name}`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    const get = async <Body>(path: string): Promise<Body> => {
      const response = await registry.playground.get(path, 'authority');
      assert.equal(response.status, 200, response.text);
      // The cast is true because the response was checked against openapi.json.
      return response.body as Body;
    };
    const query = (members: Record<string, string>) => new URLSearchParams(members).toString();
    const list = (members: Record<string, string>) =>
      get<HouseConsignment[]>(`${GOODS}?${query(members)}`);
    const listOne = async (mrn: string) => {
      const [only, ...others] = await list({ mrn });
      assert(only !== undefined && others.length === 0);
      return only;
    };
    /** What a server of the previous release does, which compares texts and writes no keys. */
    const asPreviousRelease = (text: string, values: unknown[]) =>
      registry.database.transact(async (transaction) => {
        const rows = await transaction.query<{ id: string }>({ name: '', text, values });
        await transaction.query({
          name: '',
          text: `select append_audit_record(3, '{"action":"test","details":{}}')`,
          values: [],
        });
        return rows;
      });
    /** Adds goods that differ only in the spelling of their document. */
    const addSpelling = async (id: string, number: string, routing: string | null) => {
      const [added] = await asPreviousRelease(
        `insert into house_consignment (id, ens_id, document_number, document_type, signal_head, routing, registered_routing)
        select gen_random_uuid(), ens_id, $2, document_type, replace(signal_head, document_number, $2), $3, $3
        from house_consignment where id = $1 returning id`,
        [id, number, routing],
      );
      assert(added !== undefined);
      return added.id;
    };

    const withMaster = (number: string, master: string, more: object = {}) =>
      house(number, {
        transportDocumentMasterLevel: { documentNumber: master, type: 'N741' },
        ...more,
      });
    const register = async (more: object = {}): Promise<Goods> => {
      const mrn = registry.nextMrn();
      const [number, master] = [`HC-É${mrn}`, `MB/Å${mrn}`];
      const { status, text } = await registry.put(
        mrn,
        declaration([withMaster(number, master, more)]),
      );
      assert.equal(status, 201, text);
      return { mrn, number, master, id: (await listOne(mrn)).id };
    };

    const postLines = async (lines: object[], path = DECLARATIONS): Promise<unknown[]> => {
      const { status, text } = await registry.playground.call(path, {
        as: 'authority',
        method: 'POST',
        raw: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
        headers: { 'content-type': 'application/x-ndjson' },
      });
      assert.equal(status, 200, text);
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const registerLine = async (line: object) => {
      // The cast is true because these are the results of this upload.
      const [result] = (await postLines([line])) as RegistrationResult[];
      assert.notEqual(result?.status, 'REFUSED', JSON.stringify(result));
    };
    const present = async (level: string, reference: object, { id, mrn }: Goods) => {
      const { status, text } = await registry.playground.present(level, 'forwarder', {
        ...reference,
        mrn,
      });
      assert.equal(status, 202, text);
      assert.equal((await get<HouseConsignment>(`${GOODS}/${id}`)).state, 'PRESENTED');
    };
    const isDecided = (result: unknown, { id }: Goods) => {
      // The cast is true because these are the results of decisions.
      const { status, houseConsignmentId } = result as RoutingDecisionResult;
      assert.deepEqual([status, houseConsignmentId], ['DECIDED', id], JSON.stringify(result));
    };
    const decisionOn = (number: string, { mrn }: Goods) => ({
      mrn,
      ...house(number),
      routing: 'TO_CONTROL',
    });
    const isFound = async (identifier: string, { number }: Goods) => {
      const path = `/api/movement/routing/v1/release?${query({ identifier })}`;
      const { houseConsignments } = await get<ReleaseCheck>(path);
      assert.deepEqual(
        houseConsignments.map((each) => each.transportDocumentHouseLevel.documentNumber),
        [number],
      );
    };
    const idsOf = (found: readonly HouseConsignment[]) => found.map(({ id }) => id);
    const isRegistered = async (goods: Goods, number: string, master: string) => {
      const now = await listOne(goods.mrn);
      assert.equal(now.id, goods.id);
      assert.equal(now.transportDocumentHouseLevel.documentNumber, number);
      assert.equal(now.transportDocumentMasterLevel?.documentNumber, master);
    };
    const replace = async (goods: Goods, number: string, master: string) => {
      const { status, text } = await registry.put(
        goods.mrn,
        declaration([withMaster(number, master)]),
      );
      assert.equal(status, 200, text);
      await isRegistered(goods, number, master);
    };

    const isSelected = async (id: string, select: object) => {
      const path = '/api/authority/v1/routing-runs';
      const run = { select, routing: 'TO_ENTRY', reason: 'spelling', preview: true };
      const { body } = await registry.playground.post(path, 'authority', run);
      // The cast is true because the response was checked against openapi.json.
      const { houseConsignments } = body as { houseConsignments: HouseConsignment[] };
      assert.deepEqual(idsOf(houseConsignments), [id]);
    };

    /** For each document number of an operation: what a spelling of the house or the master document does. */
    const cases: Record<string, (goods: Goods, house: string, master: string) => Promise<unknown>> =
      {
        'presentHouseConsignment transportDocumentHouseLevel': (goods, number) =>
          present('house-consignment', house(number), goods),
        'presentHouseConsignments line.transportDocumentHouseLevel': async (goods, number) => {
          const { text } = await registry.playground.call(
            '/api/movement/presentation/v1/house-consignment/batch',
            {
              as: 'forwarder',
              method: 'POST',
              raw: JSON.stringify({
                requestId: randomUUID(),
                customsOfficeOfPresentation: 'NO351001',
                ...house(number),
                mrn: goods.mrn,
              }),
              headers: { 'content-type': 'application/x-ndjson' },
            },
          );
          assert.equal(JSON.parse(text).status, 202, text);
          assert.equal((await get<HouseConsignment>(`${GOODS}/${goods.id}`)).state, 'PRESENTED');
        },
        'presentMasterConsignment transportDocumentMasterLevel': (goods, _, master) =>
          present(
            'master-consignment',
            { transportDocumentMasterLevel: { documentNumber: master, type: 'N741' } },
            goods,
          ),
        'checkRelease identifier': async (goods, number, master) => {
          await isFound(number, goods);
          await isFound(master, goods);
        },
        'explainRouting documentNumber': async (_, number) => {
          const path = `/api/movement/routing/v1/explanation?${query({ documentNumber: number })}`;
          const { text } = await registry.playground.get(path, 'carrier');
          // Several that were found too.
          assert.match(text, /"code":"(?!NOT_PRE_NOTIFIED)/);
        },
        'putEntrySummaryDeclaration houseConsignments.*.transportDocumentHouseLevel': (
          goods,
          number,
        ) => replace(goods, number, goods.master),
        'putEntrySummaryDeclaration houseConsignments.*.transportDocumentMasterLevel': (
          goods,
          _,
          master,
        ) => replace(goods, goods.number, master),
        'postEntrySummaryDeclarations line.houseConsignments.*.transportDocumentHouseLevel': async (
          goods,
          number,
        ) => {
          const { mrn, master } = goods;
          await registerLine({ mrn, ...declaration([withMaster(number, master)]) });
          await isRegistered(goods, number, master);
        },
        'postEntrySummaryDeclarations line.houseConsignments.*.transportDocumentMasterLevel':
          async (goods, _, master) => {
            const { mrn, number } = goods;
            await registerLine({ mrn, ...declaration([withMaster(number, master)]) });
            await isRegistered(goods, number, master);
          },
        'postEntrySummaryDeclarations line.houseConsignment.transportDocumentHouseLevel': async (
          goods,
          number,
        ) => {
          const { mrn, master } = goods;
          await registerLine({ mrn, houseConsignment: withMaster(number, master) });
          await isRegistered(goods, number, master);
        },
        'postEntrySummaryDeclarations line.houseConsignment.transportDocumentMasterLevel': async (
          goods,
          _,
          master,
        ) => {
          const { mrn, number } = goods;
          await registerLine({ mrn, houseConsignment: withMaster(number, master) });
          await isRegistered(goods, number, master);
        },
        'createRoutingRun select.documentNumber': ({ id }, documentNumber) =>
          isSelected(id, { documentNumber }),
        'createRoutingRun select.masterDocumentNumber': ({ id }, _, masterDocumentNumber) =>
          isSelected(id, { masterDocumentNumber }),
        'listHouseConsignments documentNumber': async ({ id }, documentNumber) =>
          assert.deepEqual(idsOf(await list({ documentNumber })), [id]),
        'listHouseConsignments masterDocumentNumber': async ({ id }, _, masterDocumentNumber) =>
          assert.deepEqual(idsOf(await list({ masterDocumentNumber })), [id]),
        'searchHouseConsignments identifier': async ({ id }, number, master) => {
          for (const identifier of [number, master]) {
            const { houseConsignments } = await get<{ houseConsignments: HouseConsignment[] }>(
              `/api/authority/v1/house-consignment-search?${query({ identifier })}`,
            );
            assert.deepEqual(idsOf(houseConsignments), [id]);
          }
        },
        'postRoutingDecisions *.transportDocumentHouseLevel': async (goods, number) => {
          const { body } = await registry.playground.post(
            '/api/authority/v1/routing-decisions',
            'authority',
            [decisionOn(number, goods)],
          );
          assert(Array.isArray(body));
          isDecided(body[0], goods);
        },
        'postRoutingDecisions line.transportDocumentHouseLevel': async (goods, number) => {
          const [result] = await postLines(
            [decisionOn(number, goods)],
            '/api/authority/v1/routing-decisions',
          );
          isDecided(result, goods);
        },
      };

    test('every document number of the contract has a case', () => {
      const table: Operation[] = Object.values(operations);
      // The texts of movement messages are compared as they are, so that equal ones couple and no others.
      const byKey = table.filter(({ path }) => !path.startsWith('/api/movement/{mode}/'));
      const found = byKey.flatMap(({ operationId, query: filters, body }) =>
        [filters, ...Object.values(body ?? {})].flatMap((schema) =>
          documentsIn(schema).map((path) => `${operationId} ${path}`),
        ),
      );
      assert.deepEqual([...new Set(found)].sort(), Object.keys(cases).sort());
    });

    for (const [field, use] of Object.entries(cases)) {
      test(`${field} finds the same goods by each spelling`, async () => {
        const kinds = Object.keys(spellingsOf('HC'));
        for (const kind of kinds) {
          const goods = await register();
          const [number = '', master = ''] = [goods.number, goods.master].map(
            (text) => spellingsOf(text)[kind],
          );
          try {
            await use(goods, number, master);
          } catch (error) {
            throw new Error(`with ${kind}: ${number}`, { cause: error });
          }
        }
      });
    }

    test('signals have the spelling that was registered last, and presented goods keep theirs', async () => {
      const goods = await register({ routing: 'TO_ENTRY' });
      const last = goods.number.toLowerCase();
      await registry.put(
        goods.mrn,
        declaration([withMaster(last, goods.master, { routing: 'TO_ENTRY' })]),
      );
      const history = await get<HouseConsignmentEvent[]>(`${GOODS}/${goods.id}/history`);
      const changed = history.find(({ event }) => event === 'CHANGED');
      assert.match(JSON.stringify(changed), new RegExp(`transportDocumentHouseLevel.*${last}`));
      await registry.present(goods.number, goods.mrn);
      const response = await registry.playground.get(
        '/api/movement/routing/v1/house-consignment?limit=1000',
        'forwarder',
      );
      // The cast is true because the response was checked against openapi.json.
      const signals = response.body as RoutingSignal[];
      const ofGoods = signals.filter((each) => each.entrySummaryDeclarationMRN === goods.mrn);
      assert.deepEqual(
        ofGoods.map((each) => each.transportDocumentHouseLevel.documentNumber),
        [last],
      );
      const again = await registry.put(
        goods.mrn,
        declaration([withMaster(goods.number, ` ${goods.master}`, { routing: 'TO_ENTRY' })]),
      );
      assert.equal(again.status, 200, again.text);
      assert.match(again.text, /"status":"UNCHANGED"/);
      await isRegistered(goods, last, goods.master);
    });

    test('withdrawn goods return by another spelling, with their id', async () => {
      const goods = await register({ routing: 'TO_CONTROL' });
      await registry.put(goods.mrn, declaration([house('ANOTHER')]));
      await registry.put(goods.mrn, declaration([withMaster(` ${goods.number}`, goods.master)]));
      await isRegistered(goods, ` ${goods.number}`, goods.master);
      await registry.put(goods.mrn, declaration([house('ANOTHER')]));
      await registry.put(goods.mrn, declaration([withMaster(goods.number, goods.master)]));
      await isRegistered(goods, goods.number, goods.master);
    });

    test('two spellings in one declaration are refused, with the field and where the other one is', async () => {
      const { mrn } = await register();
      const spellings = [house('HC 001'), house('HC002'), house('hc001')];
      const refused = await registry.put(mrn, declaration(spellings));
      assert.deepEqual(errorsOf(refused), [
        'houseConsignments.2.transportDocumentHouseLevel.documentNumber FORMAT',
      ]);
      assert.match(refused.text, /as in houseConsignments\.0/);

      // The cast is true because these are the results of this upload.
      const results = (await postLines([
        { mrn, ...declaration([]) },
        { mrn, houseConsignment: house('HC 001', { routing: 'TO_CONTROL' }) },
        { mrn, houseConsignment: house('HC003') },
        { mrn, houseConsignment: house('HC001', { routing: 'TO_ENTRY' }) },
        { mrn, houseConsignment: house('HC 001', { routing: 'TO_CONTROL' }) },
      ])) as RegistrationResult[];
      assert.deepEqual(
        results.map(({ status }) => status),
        ['UNCHANGED', 'REGISTERED', 'REGISTERED', 'REFUSED', 'UNCHANGED'],
      );
      const [error] = results[3]?.validationErrors ?? [];
      assert.equal(error?.field, 'houseConsignment.transportDocumentHouseLevel.documentNumber');
      assert.match(error?.error ?? '', /as in line 2/);
    });

    test('two goods of before are each found by their own spelling, and at the gate both are', async () => {
      const goods = await register({ routing: 'TO_ENTRY' });
      const { mrn, number } = goods;
      const other = ` ${number}`;
      const added = await addSpelling(goods.id, other, 'TO_CONTROL');
      assert.equal((await list({ documentNumber: number.toLowerCase() })).length, 2);

      const third = await registry.present(number.toLowerCase(), mrn);
      assert.deepEqual(errorsOf(third), ['transportDocumentHouseLevel REFERENCE_NOT_FOUND']);
      await registry.present(other, mrn);
      const states = async () =>
        Object.fromEntries((await list({ mrn })).map(({ id, state }) => [id, state]));
      assert.deepEqual(await states(), { [goods.id]: 'DECIDED', [added]: 'SIGNALLED' });
      await registry.present(number, mrn);
      const { outcome, toEntry, toControl } = await get<ReleaseCheck>(
        `/api/movement/routing/v1/release?${query({ identifier: number })}`,
      );
      assert.deepEqual([outcome, toEntry, toControl], ['TO_CONTROL', 1, 1]);

      // The cast is true because these are the results of these uploads.
      const [refused] = (await postLines([
        { mrn, houseConsignment: house(number.toLowerCase()) },
      ])) as RegistrationResult[];
      assert.equal(refused?.status, 'REFUSED');
      assert.match(JSON.stringify(refused), /documentNumber.*only in capitals/);
      const { breaks } = await verifyAudit(registry.database, feedKinds);
      assert.deepEqual(breaks, []);
    });

    test('what GET gives of such goods is put and uploaded again, and changes nothing', async () => {
      const goods = await register({ routing: 'TO_ENTRY' });
      const { mrn, number } = goods;
      await addSpelling(goods.id, ` ${number}`, 'TO_CONTROL');
      const read = await registry.get(mrn);
      assert.equal((read.body as EntrySummaryDeclaration).houseConsignments.length, 2);
      const put = await registry.put(mrn, read.body);
      assert.match(put.text, /UNCHANGED/, put.text);
      const results = (await postLines([read.body as object])) as RegistrationResult[];
      assert.deepEqual(
        results.map(({ status }) => status),
        ['UNCHANGED'],
      );
      const third = { ...(read.body as EntrySummaryDeclaration) };
      third.houseConsignments = [...third.houseConsignments, house(`  ${number}`)];
      const refused = await registry.put(mrn, third);
      assert.match(refused.text, /documentNumber.*only in capitals/);
      assert.equal((await list({ mrn })).length, 2);
    });

    test('what is left of such goods is found by every spelling again', async () => {
      const goods = await register();
      const { mrn, number } = goods;
      await addSpelling(goods.id, ` ${number}`, null);
      const kept = declaration([withMaster(number, goods.master)]);
      assert.equal((await registry.put(mrn, kept)).status, 200);
      await present('house-consignment', house(number.toLowerCase()), goods);
      const { breaks } = await verifyAudit(registry.database, feedKinds);
      assert.deepEqual(breaks, []);
    });

    test('a server of the previous release changes a master document, and its key with it', async () => {
      const goods = await register();
      await asPreviousRelease(
        `update house_consignment set master_document_number = 'mb 7', signal_head = replace(signal_head, $2, 'mb 7')
        where id = $1`,
        [goods.id, goods.master],
      );
      assert.deepEqual(idsOf(await list({ masterDocumentNumber: 'MB7' })), [goods.id]);
    });
  });
}
