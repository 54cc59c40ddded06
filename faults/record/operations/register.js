// Registering and withdrawing declarations: PUT, DELETE, and uploads of lines, which may be cut off.
import { isSameDocument } from '../model/record.js';
import { register, withdraw } from '../model/register.js';
import { codesOf, different, differentStatus } from './check.js';
import { firstLines } from './first-lines.js';
import { pickHouse, pickRegistration } from './goods.js';

const DECLARATIONS = '/api/authority/v1/entry-summary-declarations';
const SCOPE = 'authority/registry';

/** A condition that some requests have: that the declaration exists, or that it was never lodged. */
const pickCondition = (random) =>
  random.chance(0.2) && { condition: random.pick(['if-match', 'if-none-match']) };

const headersOf = ({ condition }) => condition && { [condition]: '*' };

export const put = {
  weight: 10,
  make: (random, world, earlier) => ({
    ...pickRegistration(random, world, earlier),
    ...pickCondition(random),
  }),
  request: ({ officer, mrn, declaration, condition }) => ({
    by: officer,
    scope: SCOPE,
    method: 'PUT',
    path: `${DECLARATIONS}/${mrn}`,
    body: declaration,
    headers: headersOf({ condition }),
  }),
  apply: (record, { mrn, declaration, condition }, context) => {
    const entry = entryOf({ mrn, ...declaration }, true);
    return register(record, [entry], { ...context, condition })[0];
  },
  check: (expected, response) => {
    const { status, codes, houseConsignments } = expected;
    if (status === 'CONDITION_NOT_MET') return differentStatus(response, 412);
    if (status === 'REFUSED') return differentStatus(response, 400, codes);
    return (
      differentStatus(response, status === 'REGISTERED' ? 201 : 200) ??
      different('result', pick(response.body), { status, houseConsignments })
    );
  },
};

export const withdrawDeclaration = {
  weight: 2,
  make: (random, world) => ({
    mrn: random.pick([...world.mrns, world.unknownMrn]),
    ...pickCondition(random),
  }),
  request: ({ officer, mrn, condition }) => ({
    by: officer,
    scope: SCOPE,
    method: 'DELETE',
    path: `${DECLARATIONS}/${mrn}`,
    headers: headersOf({ condition }),
  }),
  apply: (record, { mrn, condition }, context) => withdraw(record, mrn, { ...context, condition }),
  check: ({ status, codes, houseConsignments }, response) => {
    if (status === 'CONDITION_NOT_MET') return differentStatus(response, 412);
    if (status === 'NOT_FOUND') return differentStatus(response, 404);
    if (status === 'REFUSED') return differentStatus(response, 400, codes);
    return (
      differentStatus(response, 200) ??
      different('result', pick(response.body), { status, houseConsignments })
    );
  },
};

export const upload = {
  weight: 8,
  make: (random, world, earlier) => {
    const lines = Array.from({ length: 1 + random.below(5) }, () =>
      pickLine(random, world, earlier),
    );
    return {
      lines,
      // The connection ends within or after a line: what was sent whole may be registered.
      ...(random.chance(0.15) && {
        cutAt: { line: random.below(lines.length), within: random.chance(0.5) },
      }),
    };
  },
  request: ({ officer, lines, cutAt }) => ({
    by: officer,
    scope: SCOPE,
    method: 'POST',
    path: DECLARATIONS,
    lines,
    cutAt,
  }),
  apply: (record, { lines }, context) =>
    registeredTogether(lines.map((line) => entryOf(line, false))).flatMap((entries) =>
      register(record, entries, context),
    ),
  check: (expected, response, { lines }) =>
    differentStatus(response, 200) ??
    different(
      'results',
      response.lines.map((result) => ({
        status: result.status,
        codes: codesOf(result),
        ...(result.houseConsignments && { houseConsignments: result.houseConsignments }),
      })),
      expected.map(({ status, codes = [], houseConsignments }, index) => ({
        status,
        codes,
        // A house consignment on a line of its own has its status alone.
        ...(houseConsignments && 'houseConsignments' in lines[index] && { houseConsignments }),
      })),
    ),
  parts: firstLines,
};

function pickLine(random, world, earlier) {
  if (random.chance(0.5)) {
    return { mrn: random.pick(world.mrns), houseConsignment: pickHouse(random, world) };
  }
  const { mrn, declaration } = pickRegistration(random, world, earlier);
  return random.chance(0.3)
    ? { mrn, ...declaration, houseConsignments: [] }
    : { mrn, ...declaration };
}

/** What a declaration or a line registers. */
function entryOf({ mrn, houseConsignment, houseConsignments, ...members }, isPut) {
  if (houseConsignment !== undefined) {
    return { mrn, houses: [houseConsignment], isComplete: false };
  }
  // As a line, a declaration with an empty list leaves its house consignments as they are.
  const isComplete = isPut || houseConsignments.length > 0;
  return { mrn, members, houses: houseConsignments, isComplete };
}

/** Entries in their order, in groups that are registered at the same time: no two of a group are about the same. */
function registeredTogether(entries) {
  const groups = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    if (group === undefined || group.some((other) => isAboutSame(other, entry))) {
      groups.push([entry]);
    } else {
      group.push(entry);
    }
  }
  return groups;
}

function isAboutSame(earlier, later) {
  if (earlier.mrn !== later.mrn) return false;
  if (later.members !== undefined || earlier.isComplete) return true;
  return earlier.houses.some((house) => findHouse(later.houses, house) !== undefined);
}

function findHouse(houses, { transportDocumentHouseLevel: document }) {
  return houses.find((house) => isSameDocument(house.transportDocumentHouseLevel, document));
}

function pick({ status, houseConsignments }) {
  return { status, houseConsignments };
}
