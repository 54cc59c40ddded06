// An organisation that lodges messages with any of the numbers of somebody else learns nothing of the other's messages and goods
// before its own arrival, and where only expected parties may present, nothing at all.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ModeName, modes } from '@landfall/contract';
import fc from 'fast-check';
import { drawnDatabases } from '../testing/databases.js';
import {
  houseMessage,
  inHours,
  masterMessage,
  roadDocument,
  TestMovements,
  transportMessage,
} from '../testing/movement-client.js';
import { TestPlayground } from '../testing/playground-client.js';

const OWNER = 'forwarder';
/** Has the scopes of all modes, and that of arrivals. */
const STRANGER = 'carrier';

// Safe cast: these are its keys.
const modeNames = Object.keys(modes) as ModeName[];

/** Which numbers of the owner the stranger uses, and where. */
const drawn = fc.record({
  mode: fc.constantFrom(...modeNames),
  ownMode: fc.constantFrom(...modeNames),
  house: fc.boolean(),
  master: fc.boolean(),
  carrier: fc.boolean(),
  plate: fc.boolean(),
  receptacle: fc.boolean(),
  container: fc.boolean(),
  hasContainers: fc.boolean(),
  hangsOn: fc.constantFrom('master', 'receptacle', 'transport'),
});

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  for (const presenters of ['any', 'expected'] as const) {
    describe(`strangers with the numbers of others, where ${presenters} may present, on ${name}`, {
      skip,
    }, () => {
      test('they read nothing of them, in any combination', async () => {
        const database = await open();
        const playground = await TestPlayground.start(database, { presenters });
        const scheduledDateAndTimeOfArrival = inHours(3);
        let runs = 0;
        try {
          const numberOf = (as: string) =>
            playground.credentials(as).organisation.replace('0192:', 'NO');
          await fc.assert(
            fc.asyncProperty(drawn, async (uses) => {
              const key = runs++;
              const own = new TestMovements(playground, uses.ownMode);
              const carrier = numberOf(OWNER);
              const [house, master, receptacle, plate] = ['H', 'M', 'R', 'P'].map(
                (what) => `${what}${key}`,
              ) as [string, string, string, string];
              const of = (as: string, given: typeof uses & { mode: ModeName }) => {
                const isOwner = as === OWNER;
                const pick = (what: string, isUsed: boolean) =>
                  isOwner || isUsed ? what : `S${what}`;
                const by = isOwner || given.carrier ? carrier : numberOf(STRANGER);
                const equipment = {
                  containerIndicator: '1',
                  transportEquipment: [
                    {
                      containerSizeAndType: '22',
                      containerPackedStatus: 'A',
                      containerSupplierType: '1',
                      containerIdentificationNumber: pick(`C${key}`, given.container),
                    },
                  ],
                };
                const masters = [pick(master, given.master)];
                const houses = [pick(house, given.house)];
                const place =
                  given.hangsOn === 'master'
                    ? { master: masters[0] as string }
                    : given.hangsOn === 'receptacle'
                      ? { receptacle: pick(receptacle, given.receptacle) }
                      : { isDirect: true };
                return {
                  transport: transportMessage(pick(plate, given.plate), {
                    mode: given.mode,
                    masters,
                    houses,
                    carrier: by,
                    scheduledDateAndTimeOfArrival,
                  }),
                  'master-consignment': masterMessage(masters[0] as string, {
                    receptacles: [pick(receptacle, given.receptacle)],
                    carrier: by,
                    ...(uses.hasContainers && equipment),
                  }),
                  'house-consignment': houseMessage(houses[0] as string, {
                    ...place,
                    carrier: by,
                    ...(uses.hasContainers && equipment),
                    importProcedure: undefined,
                  }),
                };
              };
              const levels = ['house-consignment', 'master-consignment', 'transport'] as const;
              const owned = of(OWNER, { ...uses, mode: uses.ownMode });
              const mrns: string[] = [];
              for (const level of levels) mrns.push(await own.lodge(level, owned[level], OWNER));
              const decided = await playground.post(
                '/api/authority/v1/routing-decisions',
                'authority',
                [
                  {
                    mrn: mrns[0],
                    transportDocumentHouseLevel: roadDocument(house),
                    routing: 'TO_CONTROL',
                  },
                ],
              );
              assert.match(decided.text, /"DECIDED"/);
              const [row] = await database.query<{ ids: string[] }>({
                name: '',
                text: `select array_agg(m.request_id::text) as ids from movement m
                  join declaration e on e.id = m.declaration_id where e.mrn = any ($1)`,
                values: [mrns],
              });
              const secrets = [...mrns, ...(row?.ids ?? [])];

              const others = new TestMovements(playground, uses.mode);
              const lodged = of(STRANGER, uses);
              const texts: string[] = [];
              let transport: string | undefined;
              for (const level of levels) {
                const status = await others.carryOut('POST', level, lodged[level], STRANGER);
                texts.push(JSON.stringify(status));
                if (level === 'transport') transport = status.mrn;
              }
              const { version } = modes[uses.mode];
              const { version: ownVersion } = modes[uses.ownMode];
              const base = `/api/movement/${uses.mode}`;
              for (const [index, level] of levels.entries()) {
                const read = await playground.get(
                  `/api/movement/${uses.ownMode}/${ownVersion}/${level}/${mrns[index]}`,
                  STRANGER,
                );
                assert.notEqual(read.status, 200);
                const id = row?.ids[index];
                const path = `/api/movement/${uses.ownMode}/status/${ownVersion}/${level}/validation-status/${id}`;
                assert.notEqual((await playground.get(path, STRANGER)).status, 200);
                texts.push((await playground.get(`${base}/${version}/${level}`, STRANGER)).text);
              }
              texts.push(
                (await playground.get('/api/movement/status/v1/validation-status', STRANGER)).text,
              );
              const signals = async () =>
                (await playground.get('/api/movement/routing/v1/house-consignment', STRANGER)).text;
              if (transport !== undefined) {
                const ofTransport = `${base}/status/${version}`;
                const entry = await playground.get(
                  `${ofTransport}/entry/status/${transport}`,
                  STRANGER,
                );
                assert.doesNotMatch(entry.text, /TO_CONTROL|UNDECIDED/);
                texts.push(entry.text);
                texts.push(
                  (
                    await playground.get(
                      `${ofTransport}/transport/${transport}/status-with-descendants`,
                      STRANGER,
                    )
                  ).text,
                );
              }
              texts.push(await signals());
              for (const text of texts) {
                for (const secret of secrets) assert.ok(!text.includes(secret), text);
                assert.doesNotMatch(text, /TO_CONTROL/);
              }
              if (presenters === 'expected' && transport !== undefined) {
                const arrived = await others.arrive(transport, STRANGER).catch(() => undefined);
                if (arrived !== undefined) assert.equal(await signals(), '[]');
              }
            }),
            { numRuns: name === 'embedded' ? 8 : 25 },
          );
        } finally {
          await playground.close();
        }
      });
    });
  }
}
