// Requirements on routing profiles. A live profile decides on the goods of everybody, so the one of the suite has
// conditions that only its own goods meet, and it is activated only where none is live.
import { randomUUID } from 'node:crypto';
import type { Routing, RoutingProfile, StoredRoutingProfile } from '@landfall/contract';
import { documentOf, OFFICE, register } from '../data/goods.js';
import { newDocumentNumber, newReceptacleId } from '../data/identifiers.js';
import { lodgeGoods } from '../data/lodged-goods.js';
import { HOUSE, MASTER, memberAt } from '../data/movement-messages.js';
import { mover } from '../data/movements.js';
import { memberOf, nextPage } from '../data/read-feed.js';
import type { CaseContext } from '../suite/case-context.js';
import {
  expect,
  expectEqual,
  expectProblem,
  expectSchema,
  expectStatus,
  readJson,
  readObject,
} from '../suite/expect.js';
import { NotTestedError } from '../suite/not-tested-error.js';
import { type Area, api, decision } from '../suite/requirement.js';

const PUT = 'putRoutingProfile';

/** Maximum number of pages of profiles that are read. */
const MAX_LIST_PAGES = 200;

/** Maximum number of calls with which the live profile is applied: the suite does not know how much is undecided. */
const MAX_APPLY_CALLS = 50;

/** Where goods come from that nobody else registers: military goods by post from Antarctica, and from Bouvet Island. */
type Origin = 'AQ' | 'BV';

/** A profile that decides on the goods of the suite from this origin. */
function makeProfile(origin: Origin, routing: Routing = 'TO_CONTROL'): RoutingProfile {
  const when = {
    customsOfficeOfFirstEntry: [OFFICE],
    transportDocumentType: ['C624' as const],
    originCountry: [origin],
  };
  return { salt: randomUUID(), rules: [{ name: 'conformance', when, routing }] };
}

const newName = () => `conformance-${randomUUID()}`;

/** Registers undecided goods that meet the conditions. */
function registerGoods(context: CaseContext, origin: Origin) {
  const document = { documentNumber: randomUUID(), type: 'C624' as const };
  const receptacleId = `${origin}${newReceptacleId().slice(2)}`;
  const house = { transportDocumentHouseLevel: document, receptacleId };
  return register(context, { houses: [house] });
}

async function store(
  context: CaseContext,
  name: string,
  profile: RoutingProfile,
): Promise<StoredRoutingProfile> {
  const response = await context.as('authority').call(PUT, { path: { name }, json: profile });
  expectStatus(response, 200);
  expectSchema(PUT, response);
  // The cast is true because the response has the schema.
  return readObject(response) as StoredRoutingProfile;
}

async function listProfiles(
  context: CaseContext,
  first: Readonly<Record<string, string>> = {},
): Promise<StoredRoutingProfile[]> {
  const found: StoredRoutingProfile[] = [];
  let query: readonly [string, string][] = Object.entries(first);
  for (let pages = 0; pages < MAX_LIST_PAGES; pages++) {
    const response = await context.as('authority').call('listRoutingProfiles', { query });
    expectStatus(response, 200);
    expectSchema('listRoutingProfiles', response);
    // The cast is true because the response has the schema.
    found.push(...(readJson(response) as StoredRoutingProfile[]));
    const next = nextPage(response, context.settings.baseUrl);
    if (next === undefined) return found;
    query = [...next.searchParams];
  }
  throw new NotTestedError('the tested service has too many routing profiles');
}

/** The current decision on the only house consignment of a declaration. */
async function readRouting(context: CaseContext, mrn: string): Promise<unknown> {
  const response = await context.as('authority').call('listHouseConsignments', { query: { mrn } });
  expectStatus(response, 200);
  return memberOf({ found: readJson(response) }, 'found.0.routing');
}

/** Applies the live profile to everything undecided. */
async function applyLiveProfile(context: CaseContext): Promise<void> {
  let marker: string | undefined;
  for (let call = 0; call < MAX_APPLY_CALLS; call++) {
    const response = await context
      .as('authority')
      .call('applyRoutingProfile', { query: { marker, limit: 100_000 } });
    expectStatus(response, 200);
    expectSchema('applyRoutingProfile', response);
    const next = readObject(response).marker;
    if (next === undefined) return;
    marker = String(next);
  }
  throw new NotTestedError('too many house consignments are undecided at the tested service');
}

/** Makes a profile live for as long as `test` runs. */
async function whileLive(
  context: CaseContext,
  { name, version }: StoredRoutingProfile,
  test: () => Promise<void>,
): Promise<void> {
  const live = (await listProfiles(context)).find((one) => one.live);
  if (live !== undefined) {
    throw new NotTestedError(
      `the profile ${live.name} is live at the tested service, and one profile can be live`,
    );
  }
  try {
    const json = { name, version };
    const response = await context.as('authority').call('activateRoutingProfile', { json });
    expectStatus(response, 200);
    expectSchema('activateRoutingProfile', response);
    await test();
  } finally {
    await context.cleanUp().as('authority').call('deactivateRoutingProfile');
  }
}

export const routingProfiles: Area = {
  name: 'Routing profiles',
  requirements: [
    {
      id: 'DECI-009',
      sentence:
        'Routing profiles decide on house consignments that are pre-notified while one is live.',
      sources: [
        api(PUT, 'activateRoutingProfile', 'applyRoutingProfile', 'deactivateRoutingProfile'),
        decision(45),
      ],
      needs: ['authority'],
      cases: {
        'before, while and after a profile is live': async (context) => {
          const profile = await store(context, newName(), makeProfile('AQ'));
          const before = await registerGoods(context, 'AQ');
          let during = before;
          await whileLive(context, profile, async () => {
            expectEqual(
              await readRouting(context, before.mrn),
              undefined,
              'the decision on goods from before the profile was live',
            );
            during = await registerGoods(context, 'AQ');
            expectEqual(
              await readRouting(context, during.mrn),
              'TO_CONTROL',
              'the decision on goods that are registered while the profile is live',
            );
            const other = await register(context, { houses: [{}] });
            expectEqual(
              await readRouting(context, other.mrn),
              undefined,
              'the decision on goods that do not meet the conditions',
            );
            await applyLiveProfile(context);
            expectEqual(
              await readRouting(context, before.mrn),
              'TO_CONTROL',
              'the decision on goods from before, after the profile was applied',
            );
          });
          const after = await registerGoods(context, 'AQ');
          expectEqual(
            await readRouting(context, after.mrn),
            undefined,
            'the decision on goods that are registered when no profile is live',
          );
          expectEqual(
            await readRouting(context, during.mrn),
            'TO_CONTROL',
            'a decision of the profile after it was deactivated',
          );
        },
        'a version that does not exist': async (context) => {
          const { name } = await store(context, newName(), makeProfile('AQ'));
          const response = await context
            .as('authority')
            .call('activateRoutingProfile', { json: { name, version: 2 } });
          expectProblem(response, 404);
        },
      },
    },
    {
      id: 'DECI-010',
      sentence:
        'A routing profile is stored in versions that never change; an equal profile creates none.',
      sources: [api(PUT, 'listRoutingProfiles'), decision(45)],
      needs: ['authority'],
      cases: {
        'the same profile, and another one': async (context) => {
          const name = newName();
          const first = makeProfile('AQ');
          const second = makeProfile('AQ', 'TO_ENTRY');
          const versions = [
            (await store(context, name, first)).version,
            (await store(context, name, first)).version,
            (await store(context, name, second)).version,
          ];
          expectEqual(versions, [1, 1, 2], 'the versions');
          const stored = await listProfiles(context, { name });
          expectEqual(
            stored.map(({ version, salt, rules, live }) => ({ version, salt, rules, live })),
            [
              { version: 1, ...first, live: false },
              { version: 2, ...second, live: false },
            ],
            'the stored versions',
          );
        },
        'a misspelt condition': async (context) => {
          const { salt, rules } = makeProfile('AQ');
          const json = { salt, rules: [{ ...rules[0], when: { office: [OFFICE] } }] };
          const path = { name: newName() };
          const response = await context.as('authority').call(PUT, { path, json });
          expectProblem(response, 400, { code: 'UNKNOWN_MEMBER', field: /^rules\b.*office$/ });
        },
      },
    },
    {
      id: 'DECI-022',
      sentence:
        'Routing profiles are listed by name and version, page by page, or those whose names begin with some characters.',
      sources: [api('listRoutingProfiles'), decision(187)],
      needs: ['authority'],
      cases: {
        'two profiles in pages of each size': async (context) => {
          const name = newName();
          await store(context, name, makeProfile('AQ'));
          await store(context, name, makeProfile('AQ', 'TO_ENTRY'));
          await store(context, `${name}a`, makeProfile('AQ'));
          const expected = [`${name} 1`, `${name} 2`, `${name}a 1`];
          for (const limit of ['1', '2', '3', '1000']) {
            const found = await listProfiles(context, { name, limit });
            expectEqual(
              found.map((one) => `${one.name} ${one.version}`),
              expected,
              `the versions in pages of ${limit}`,
            );
          }
        },
        'a marker that is none': async (context) => {
          const query = { marker: 'conformance' };
          const response = await context.as('authority').call('listRoutingProfiles', { query });
          expectProblem(response, 400, { code: 'FORMAT', field: 'marker' });
        },
      },
    },
    {
      id: 'DECI-024',
      sentence:
        'A routing profile asks for what lodged goods say of themselves: procedures, carrier, country of the consignor and gross mass, and how goods were notified.',
      sources: [api(PUT, 'dryRunRoutingProfile')],
      needs: ['presenter', 'authority'],
      cases: {
        'each condition, of goods of a carrier that nobody else names': async (context) => {
          const carrier = newDocumentNumber().slice(-17);
          const goods = await lodgeGoods(mover(context, 'presenter', ['road']), {
            [`${HOUSE}.${MASTER}.carrierIdentificationNumber`]: carrier,
            [`${HOUSE}.totalGrossMass`]: 700,
          });
          const member = (path: string) => memberAt(goods.message, `${HOUSE}.${path}`);
          const procedure = String(member('importProcedure.importProcedure'));
          const country = String(member('consignor.address.country'));
          const outgoing = member('importProcedure.outgoingProcedure');
          const holding = [
            { importProcedure: [procedure] },
            { consignorCountry: [country] },
            { grossMassFrom: 700 },
            { notified: ['MOVEMENT'] },
            ...(outgoing === undefined ? [] : [{ outgoingProcedure: [outgoing] }]),
          ];
          const others = [
            {
              importProcedure: [procedure === 'TIR_CARNET' ? 'ATA_CARNET' : 'TIR_CARNET'],
            },
            { consignorCountry: [country === 'AQ' ? 'BV' : 'AQ'] },
            { grossMassFrom: 701 },
            { notified: ['ENS'] },
            { outgoingProcedure: [outgoing === 'EXP' ? 'TRE' : 'EXP'] },
          ];
          // A rule that decides hides the goods from later ones.
          const rules = [...others, ...holding].map((when, number) => ({
            name: `rule ${number}`,
            when: { carrierIdentificationNumber: [carrier], ...when },
            share: 0,
            routing: 'TO_CONTROL',
          }));
          const name = newName();
          const json = { salt: randomUUID(), rules };
          expectStatus(await context.as('authority').call(PUT, { path: { name }, json }), 200);
          const response = await context.as('authority').call('dryRunRoutingProfile', {
            path: { name },
            json: {},
          });
          expectStatus(response, 200);
          const counts = rules.map((_, number) =>
            memberOf(readObject(response), `rules.${number}.held`),
          );
          const expected = [...others.map(() => 0), ...holding.map(() => 1)];
          expectEqual(counts, expected, 'for how many goods each rule holds');
        },
      },
    },
    {
      id: 'DECI-011',
      sentence: 'A dry run reports what a routing profile would decide, and decides nothing.',
      sources: [api('dryRunRoutingProfile')],
      needs: ['authority'],
      cases: {
        'goods that the profile would decide': async (context) => {
          const { name } = await store(context, newName(), makeProfile('BV'));
          const declaration = await registerGoods(context, 'BV');
          const response = await context.as('authority').call('dryRunRoutingProfile', {
            path: { name },
            // Other cases register goods meanwhile.
            json: { limit: 1000 },
          });
          expectStatus(response, 200);
          expectSchema('dryRunRoutingProfile', response);
          const run = readObject(response);
          const decided = Number(memberOf(run, 'rules.0.decided'));
          expect(decided >= 1, 'the rule would decide on nothing');
          expectEqual(
            memberOf(run, 'rules.0.conditions.0.condition'),
            'customsOfficeOfFirstEntry',
            'the condition of the rule',
          );
          expect(
            Number(memberOf(run, 'rules.0.conditions.0.held')) >= decided,
            'the condition holds for fewer goods than the rule decides on',
          );
          const examples = memberOf(run, 'rules.0.examples');
          const { documentNumber } = documentOf(declaration);
          expect(
            Array.isArray(examples) &&
              (decided > examples.length ||
                examples.some(
                  (one) =>
                    memberOf(one, 'transportDocumentHouseLevel.documentNumber') === documentNumber,
                )),
            'the examples do not have the goods that were registered last',
          );
          expectEqual(
            await readRouting(context, declaration.mrn),
            undefined,
            'the decision after the dry run',
          );
        },
      },
    },
  ],
};
