// Reading a declaration while it is changed: what is read is one version of it, or the response has no end.
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { EntrySummaryDeclaration } from '@landfall/contract';
import { drawnDatabases } from '../testing/databases.js';
import { DECLARATIONS, declaration, house, TestRegistry } from '../testing/registry-client.js';

/** More than are read at once. */
const HOUSES = 350;

/** So many that neither side of a connection has buffers for all of them. */
const MANY_HOUSES = 12_000;

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`reading a declaration on ${name} while it changes`, { skip }, () => {
    let registry: TestRegistry;
    before(async () => {
      registry = await TestRegistry.start(await open());
    });
    after(() => registry.close());

    /** All members and all house consignments have the number of the version. */
    const versionOf = (number: number) =>
      declaration(
        Array.from({ length: HOUSES - (number % 2) * 100 }, (_, index) =>
          house(`MIX-${index}`, { harmonizedSystemSubheadingCode: [String(640300 + number)] }),
        ),
        {
          activeBorderTransportMeans: {
            identificationNumber: String(640300 + number),
            typeOfIdentification: '40',
          },
        },
      );

    const checkVersion = (text: string) => {
      const read: EntrySummaryDeclaration = JSON.parse(text);
      const number = read.activeBorderTransportMeans?.identificationNumber;
      const codes = read.houseConsignments.map((one) => one.harmonizedSystemSubheadingCode?.[0]);
      assert.deepEqual([...new Set(codes)], [number], 'members and goods of several versions');
      assert.equal(codes.length, HOUSES - (Number(number) % 2) * 100);
    };

    test('each response is one version of it', async () => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, versionOf(0));
      let replacing = true;
      const read = async () => {
        while (replacing) {
          const response = await registry.get(mrn);
          assert.equal(response.status, 200, response.text);
          checkVersion(response.text);
        }
      };
      const replace = async () => {
        for (let number = 1; number <= 10; number++) {
          assert.equal((await registry.put(mrn, versionOf(number))).status, 200);
        }
        replacing = false;
      };
      await Promise.all([replace(), read(), read()]);
    });

    test('more goods than PUT accepts are read, as lines too, and registered again as they were read', async () => {
      const mrn = registry.nextMrn();
      await registry.put(mrn, declaration([]));
      const goods = Array.from({ length: 2100 }, (_, index) =>
        JSON.stringify({
          mrn,
          houseConsignment: house(`WIDE-${index}`, { routing: 'TO_CONTROL' }),
        }),
      );
      const upload = async (lines: string) => {
        const { text } = await registry.playground.call(DECLARATIONS, {
          as: 'authority',
          method: 'POST',
          headers: { 'content-type': 'application/x-ndjson' },
          raw: lines,
        });
        return text
          .trim()
          .split('\n')
          .map((line): string => JSON.parse(line).status);
      };
      await upload(`${goods.join('\n')}\n`);
      // The response is checked against openapi.json.
      const whole: EntrySummaryDeclaration = JSON.parse((await registry.get(mrn)).text);
      assert.equal(whole.houseConsignments.length, 2100);
      const path = `${DECLARATIONS}/${mrn}`;
      const { text, headers } = await registry.playground.get(path, 'authority', {
        accept: 'application/x-ndjson',
      });
      assert.equal(headers.get('content-type'), 'application/x-ndjson');
      const [first, ...others] = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(first, { ...whole, houseConsignments: [] });
      assert.deepEqual(
        others.map(({ houseConsignment }) => houseConsignment),
        whole.houseConsignments,
      );
      assert.deepEqual([...new Set(await upload(text))], ['UNCHANGED']);
    });

    test('a response of which a part was sent has no end, whatever changed', async () => {
      const none = async () => undefined;
      const addOne = (mrn: string) => postLine({ mrn, houseConsignment: house('ONE-MORE') });
      const replace = (mrn: string) => registry.put(mrn, declaration([house('ONLY')]));
      const withdraw = (mrn: string) => registry.withdraw(mrn);
      // Changes of one declaration, one after the other: registering as many takes long.
      for (const changes of [[none, addOne, replace], [withdraw]]) {
        const mrn = registry.nextMrn();
        await registerMany(mrn);
        for (const change of changes) {
          const { response, resume } = await startReading(mrn);
          await change(mrn);
          assert.equal(await resume(), change === none, String(change));
          response.destroy();
        }
      }
    });

    const postLine = async (line: object) => {
      const response = await registry.playground.call(DECLARATIONS, {
        as: 'authority',
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        raw: JSON.stringify(line),
      });
      assert.match(response.text, /REGISTERED/);
    };

    /** Registers one house consignment and copies it in the database. */
    const registerMany = async (mrn: string) => {
      const codes = Array.from({ length: 99 }, (_, index) => String(640300 + index));
      const first = house('FIRST', { harmonizedSystemSubheadingCode: codes });
      assert.equal((await registry.put(mrn, declaration([first]))).status, 201);
      await registry.database.query({
        name: '',
        text: `
          insert into house_consignment (id, ens_id, document_number, document_type, signal_head, registration, subheadings)
          select gen_random_uuid(), ens_id, document_number || number, document_type, signal_head, registration, subheadings
          from house_consignment h cross join generate_series(2, ${MANY_HOUSES}) number
          where ens_id = (select id from entry_summary_declaration where mrn = $1)`,
        values: [mrn],
      });
    };

    /** Begins to read and pauses; `resume` reads the rest, and says whether the response has an end. */
    const startReading = async (mrn: string) => {
      const authorization = `Bearer ${await registry.playground.token('authority')}`;
      const url = `${registry.playground.playground.baseUrl}${DECLARATIONS}/${mrn}`;
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(url, { headers: { authorization } }, resolve).on('error', reject);
      });
      assert.equal(response.statusCode, 200);
      // Until the buffers of the connection are full.
      await delay(500);
      const resume = async () => {
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of response) chunks.push(chunk);
        } catch {
          return false;
        }
        const read: EntrySummaryDeclaration = JSON.parse(Buffer.concat(chunks).toString());
        assert.equal(read.houseConsignments.length, MANY_HOUSES);
        return true;
      };
      return { response, resume };
    };
  });
}
