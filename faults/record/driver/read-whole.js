// Reads everything beside feeds and goods: what there is of each house consignment and declaration, and some questions.
import { OFFICES } from '../world.js';

const STATES = ['PRE_NOTIFIED', 'DECIDED', 'PRESENTED', 'SIGNALLED'];

/**
 * Reads it; `problem`: why a feed that was read again is another.
 *
 * @param {Map<string, string[]>} ids the ids that each house consignment has had
 */
export async function readWhole(observer, world, random, ids) {
  const [problem] = await observer.rereadFeeds();
  const declarations = await Promise.all(
    world.mrns.map(async (mrn) => [mrn, await observer.declaration(mrn)]),
  );
  const undecided = await observer.undecidedArrivals();
  return {
    problem,
    histories: await readHistories(observer, ids),
    declarations: Object.fromEntries(declarations),
    searches: await repeat(6, () => searchSome(observer, world, random)),
    releases: await repeat(8, () => checkSome(observer, world, random)),
    undecided: undecided.filter(({ entrySummaryDeclarationMRN: mrn }) => world.mrns.includes(mrn)),
    reached: await repeat(4, () => readSomeStatuses(observer, world, random)),
  };
}

function repeat(times, read) {
  return Promise.all(Array.from({ length: times }, read));
}

function readHistories(observer, ids) {
  const all = [...ids].flatMap(([key, ofKey]) => ofKey.map((id) => ({ key, id })));
  return Promise.all(
    all.map(async ({ key, id }) => ({ key, id, events: await observer.history(id) })),
  );
}

async function searchSome(observer, world, random) {
  // One of these is of this world alone.
  const identifiers = {
    mrn: world.mrns,
    documentNumber: world.documents.map(({ documentNumber }) => documentNumber),
    masterDocumentNumber: world.masters.map(({ documentNumber }) => documentNumber),
    receptacleId: world.receptacles,
    containerId: world.containers,
  };
  const further = {
    type: ['N703', 'N740'],
    organisation: world.organisations,
    state: STATES,
    office: OFFICES,
  };
  const names = [
    random.pick(Object.keys(identifiers)),
    ...Object.keys(further).filter(() => random.chance(0.4)),
  ];
  const values = { ...identifiers, ...further };
  const filters = Object.fromEntries(names.map((name) => [name, random.pick(values[name])]));
  return { filters, found: await observer.search(filters) };
}

async function checkSome(observer, world, random) {
  const { mrns, documents, masters, receptacles, containers, organisations } = world;
  const numbers = [...documents, ...masters].map(({ documentNumber }) => documentNumber);
  const identifier = random.pick([...mrns, ...numbers, ...receptacles, ...containers]);
  const organisation = random.pick([undefined, ...organisations]);
  return { identifier, organisation, found: await observer.release(identifier, organisation) };
}

async function readSomeStatuses(observer, world, random) {
  const organisation = random.pick(world.organisations);
  const mrn = random.pick(world.mrns);
  return { organisation, mrn, statuses: await observer.statusesOf(organisation, mrn) };
}
