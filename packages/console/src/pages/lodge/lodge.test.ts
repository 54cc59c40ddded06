// The form of a movement message has every member of its schema, shows what the rules let it, and makes the message again.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import {
  checkMovement,
  keysOf,
  type MovementLevel,
  type MovementPart,
  modes,
  movementLevels,
  uncheckedRegisters,
} from '@landfall/contract';
import { setMember } from '@landfall/contract/movement-cases/change-message';
import { exampleTime, makeExample } from '@landfall/contract/movement-cases/examples';
import { ruleCases } from '@landfall/contract/movement-cases/rule-cases';
import { draftOf, messageOf } from './draft.js';
import { type FieldNode, type FormNode, formTree } from './form-tree.js';
import { judge } from './judge.js';
import { labelOf, labels } from './labels.js';
import { isWrapper, shownOf } from './parts.js';
import { asCommand } from './same-command.js';
import { type Draft, pathOf, stepsOf, withoutItem, withValue } from './steps.js';

const levels = keysOf(movementLevels);
const modeNames = keysOf(modes);
const ISSUED = '2026-05-04T07:00:00Z';
const all = () => Number.POSITIVE_INFINITY;
const road = shownOf('road', 'house-consignment');

/** The paths of the fields of a form. */
function fieldsOf(nodes: readonly FormNode[]): FieldNode[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'field') return [node];
    return fieldsOf(node.kind === 'group' ? node.nodes : node.items.flat());
  });
}

const pathsOf = (nodes: readonly FormNode[]) => fieldsOf(nodes).map(({ steps }) => pathOf(steps));

for (const level of levels) {
  for (const mode of modeNames) {
    const shown = shownOf(mode, level);

    test(`the form of a ${level} by ${mode} makes the message that it was made from`, () => {
      const message = makeExample(level, mode);
      assert.deepEqual(messageOf(draftOf(message), shown, ISSUED), message);
    });

    test(`each member of a message of a ${level} by ${mode} is a field`, () => {
      const message = makeExample(level, mode);
      const fields = new Set(pathsOf(formTree(shown, draftOf(message), all)));
      const hidden = leavesOf(message).filter((path) => !fields.has(path));
      assert.deepEqual(
        hidden,
        level === 'transport'
          ? [
              'documentIssueDate',
              'activeBorderTransportMeans.typeOfIdentification',
              'activeBorderTransportMeans.modeOfTransportCode',
            ]
          : ['documentIssueDate'],
      );
    });

    test(`an empty form of a ${level} by ${mode} names what it needs, in its order`, () => {
      const { errors } = judge(messageOf({}, shown, ISSUED), shown, {
        isOffice: () => true,
        now: exampleTime,
      });
      const order = nodePaths(formTree(shown, {}, all));
      const places = errors.map(({ field }) => order.indexOf(field));
      assert(places.length > 5);
      assert(!places.includes(-1), errors.map(({ field }) => field).join(' '));
      assert.deepEqual(
        places,
        places.toSorted((one, other) => one - other),
      );
    });
  }
}

/** The paths of all nodes, in their order. */
function nodePaths(nodes: readonly FormNode[]): string[] {
  return nodes.flatMap((node) => [
    pathOf(node.steps),
    ...(node.kind === 'group' ? nodePaths(node.nodes) : []),
    ...(node.kind === 'list' ? node.items.flatMap(nodePaths) : []),
  ]);
}

function leavesOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value)
    .flatMap(([name, member]) =>
      leavesOf(member, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`),
    )
    .map((one) => one.replace(/^\./, ''));
}

test('every member of every message has a name in both languages', () => {
  const nameless: string[] = [];
  const visit = (part: MovementPart, steps: (string | number)[], level: MovementLevel) => {
    for (const mode of modeNames) {
      for (const text of [labels.en, labels.nb]) {
        // What has one member is shown by that member.
        if (steps.length > 0 && !isWrapper(part) && labelOf(text, steps, mode) === undefined)
          nameless.push(pathOf(steps));
      }
    }
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      if (steps.length > 0 || name !== 'documentIssueDate') visit(member, [...steps, name], level);
    }
    if (part.items !== undefined) visit(part.items, [...steps, 0], level);
  };
  for (const level of levels) visit(movementLevels[level].schema, [], level);
  assert.deepEqual(nameless, []);
});

test('what the form judges is what the service would say of the message', () => {
  let judged = 0;
  for (const { level, mode, broken } of casesOfForms()) {
    const shown = shownOf(mode, level);
    const message = messageOf(draftOf(broken), shown, ISSUED);
    const { errors, missing } = judge(message, shown, { isOffice: () => true, now: exampleTime });
    const checked = checkMovement(message, {
      level,
      mode,
      now: exampleTime,
      registers: { ...uncheckedRegisters, isCustomsOffice: () => true },
    });
    const expected = checked.accepted ? checked.missing : checked.errors;
    const found = (checked.accepted ? missing : errors).map(({ field }) => field);
    for (const { field } of expected) assert(found.includes(field), `${field}: ${found.join(' ')}`);
    judged++;
  }
  assert(judged > 100, `${judged} cases`);
});

/** Messages that keep or break a rule by what they have. */
function casesOfForms() {
  return Object.values(ruleCases)
    .flat()
    .flatMap(({ level, keeps, breaks }) => {
      // There is no form for relations.
      if (level === 'relation') return [];
      return [...keeps, ...breaks].flatMap(({ changes, modes: only = modeNames }) =>
        only.map((mode) => {
          const broken = makeExample(level, mode);
          const changed = typeof changes === 'function' ? changes(mode) : changes;
          for (const [path, value] of Object.entries(changed)) setMember(broken, path, value);
          return { level, mode, broken };
        }),
      );
    });
}

test('codes of another mode are not offered', () => {
  const choices = (mode: keyof typeof modes, path: string) => {
    const shown = shownOf(mode, 'house-consignment');
    const draft = withValue({}, ['consignmentHouseLevel', 'exportFromEU', 0], {});
    const fields = fieldsOf(formTree(shown, draft, all));
    return fields.find(({ steps }) => pathOf(steps) === path)?.codes.map(([code]) => code) ?? [];
  };
  const procedure = 'consignmentHouseLevel.importProcedure.importProcedure';
  assert.equal(choices('road', procedure).length, 11);
  assert.equal(choices('air', procedure).length, 8);
  assert(!choices('air', procedure).includes('TRANSIT_IMPORT'));
  const kind = 'consignmentHouseLevel.exportFromEU[0].typeOfExport';
  assert.deepEqual(choices('road', kind), ['AES', 'EUEIR', 'EIDR']);
  assert.deepEqual(choices('maritime', kind), ['AES', 'EUEIR']);
  assert.equal(choices('road', 'consignmentHouseLevel.consignee.address.country').length, 249);
});

test('what would contradict what was entered is not shown', () => {
  const house = 'consignmentHouseLevel';
  const has = (draft: Draft, path: string) =>
    nodePaths(formTree(road, draft, all)).includes(`${house}.${path}`);
  const master = withValue({}, [house, 'consignmentMasterLevel'], {});
  const receptacle = withValue({}, [house, 'receptacleIdentificationNumber'], 'R1');
  const direct = withValue({}, [house, 'directConsignment'], 'true');
  assert(has({}, 'consignmentMasterLevel') && has({}, 'receptacleIdentificationNumber'));
  assert(!has(master, 'receptacleIdentificationNumber') && has(master, 'consignmentMasterLevel'));
  assert(!has(receptacle, 'consignmentMasterLevel'));
  assert(!has({}, 'transportLevel.carrierIdentificationNumber'));
  assert(has(direct, 'transportLevel.carrierIdentificationNumber'));
  assert(!has(direct, 'consignmentMasterLevel'));
  const procedure = (code: string, draft: Draft = {}) =>
    withValue(draft, [house, 'importProcedure', 'importProcedure'], code);
  assert(!has({}, 'goodsItem') && !has(procedure('CUSTOMS_DECLARATION'), 'goodsItem'));
  assert(has(procedure('IMMEDIATE_RELEASE_VOEC'), 'goodsItem'));
  const documents = withValue({}, [house, 'previousDocuments', 1], { typeOfReference: 'N820' });
  const declarant = 'previousDocuments[1].declarantNumber';
  assert(has(procedure('CUSTOMS_DECLARATION', documents), declarant));
  assert(!has(procedure('TRANSIT_IMPORT', documents), declarant));
  // What was entered is shown, whatever it contradicts.
  const entered = withValue(documents, [house, 'previousDocuments', 1, 'declarantNumber'], '1');
  assert(has(procedure('TRANSIT_IMPORT', entered), declarant));
});

test('rules between members are asked while others are missing', () => {
  const draft = withValue(
    {},
    ['consignmentHouseLevel', 'exportFromEU'],
    [{ exportId: 'E1' }, { exportId: 'E2', typeOfExport: 'AES' }],
  );
  const { errors } = judge(messageOf(draft, road, ISSUED), road, {
    isOffice: () => true,
    now: exampleTime,
  });
  const exports = errors.filter(({ field }) => field.includes('exportFromEU'));
  assert.deepEqual(
    exports.map(({ field, code }) => [field, code]),
    [
      ['consignmentHouseLevel.exportFromEU[0].typeOfExport', 'REQUIRED'],
      ['consignmentHouseLevel.exportFromEU[1].exportId', 'FORMAT'],
    ],
  );
});

test('what is typed becomes what the message has', () => {
  const path = (name: string) => ['consignmentHouseLevel', name];
  let draft: Draft = withValue({}, path('totalGrossMass'), ' 1 200,5 ');
  draft = withValue(draft, path('numberOfPackages'), 'three');
  draft = withValue(draft, path('goodsDescription'), '  chairs ');
  draft = withValue(draft, path('directConsignment'), 'false');
  draft = withValue(draft, path('importProcedure'), { importProcedure: ' ' });
  const { consignmentHouseLevel: house } = Object(messageOf(draft, road, ISSUED));
  assert.equal(house.totalGrossMass, 1200.5);
  assert.equal(house.numberOfPackages, 'three');
  assert.equal(house.goodsDescription, 'chairs');
  assert.equal(house.directConsignment, false);
  assert.equal('importProcedure' in house, false);
  // A text that the message has already is not changed by replacing something else of it.
  const before = { consignmentHouseLevel: { goodsDescription: '  chairs ' } };
  const replaced = Object(messageOf(draft, road, ISSUED, before));
  assert.equal(replaced.consignmentHouseLevel.goodsDescription, '  chairs ');
});

test('an item of a list goes, and the others stay', () => {
  const list = ['consignmentHouseLevel', 'previousDocuments'];
  const draft = withValue({}, list, [{ referenceNumber: 'A' }, { referenceNumber: 'B' }]);
  assert.deepEqual(withoutItem(draft, list, 0), withValue({}, list, [{ referenceNumber: 'B' }]));
});

test('receptacles are one list, however a message has them', () => {
  const shown = shownOf('air', 'master-consignment');
  const message = makeExample('master-consignment', 'air');
  const master = Object(message).consignmentMasterLevel;
  master.consignmentHouseLevel = [
    { receptacle: [{ receptacleIdentificationNumber: ['R1'] }, {}] },
    { receptacle: [{ receptacleIdentificationNumber: ['R2', 'R3'] }] },
    {},
  ];
  const made = Object(messageOf(draftOf(message), shown, ISSUED));
  assert.deepEqual(made.consignmentMasterLevel.consignmentHouseLevel, [
    { receptacle: [{ receptacleIdentificationNumber: ['R1', 'R2', 'R3'] }] },
  ]);
});

test('a path is a way, and a way a path', () => {
  const path = 'consignmentHouseLevel.previousDocuments[10].referenceNumber';
  assert.equal(pathOf(stepsOf(path)), path);
  assert.equal(stepsOf(path)[2], 10);
});

test('a shell gives the command the message as it is', () => {
  const message = { goodsDescription: `a'b "c" $(touch x) \`id\` \\ END` };
  const command = asCommand({ mode: 'road', level: 'house-consignment', mrn: undefined }, message, {
    identity: 'forwarder',
  });
  const [first = ''] = command.split('\n');
  assert.match(
    first,
    /^npx landfall movement lodge house-consignment --mode road --file - --as forwarder <<'END'$/,
  );
  const read = execFileSync('/bin/sh', ['-c', command.replace(/^npx .* <</, 'cat <<')], {
    encoding: 'utf8',
  });
  assert.deepEqual(JSON.parse(read), message);
});
