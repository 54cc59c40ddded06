// The rules of codes: each is in its list, and not of another mode.
import { keysOf } from '../../keys-of.js';
import {
  type CodeList,
  type CodeListName,
  describeCodes,
  hasCode,
  movementCodeLists,
} from '../codes/code-lists.js';
import { countryCodes } from '../codes/countries.js';
import { exportTypes, importProcedures, outgoingProcedures } from '../codes/procedures.js';
import { type MovementMessageName, movementMessages } from '../levels.js';
import { modesThat } from '../modes.js';
import type { Part } from '../read-message.js';
import { addFound, type Found, houseRule, itemRule, type Rule, transportRule } from './rule.js';

/** The paths of the members of a level whose part of the schema is such. */
function pathsOf(part: Part, isSuch: (part: Part) => boolean, path = ''): string[] {
  const below = Object.entries(part.properties ?? {}).flatMap(([name, member]) =>
    pathsOf(member, isSuch, `${path}.${name}`),
  );
  const items = part.items === undefined ? [] : pathsOf(part.items, isSuch, `${path}[]`);
  const either = (part.anyOf ?? []).flatMap((one) => pathsOf(one, isSuch, path));
  return [...(isSuch(part) ? [path] : []), ...below, ...items, ...either];
}

/** A rule of each text of which the schema says something, at every level that has such a text. */
function textRule(
  rule: Pick<Rule, 'id' | 'text'>,
  isSuch: (part: Part) => boolean,
  isBroken: (text: string) => boolean,
): Rule {
  const having = keysOf(movementMessages).map((level): [MovementMessageName, string[]] => [
    level,
    pathsOf(movementMessages[level].schema, isSuch),
  ]);
  // The same parts are in many places: their last two names tell them apart.
  const names = having.flatMap(([, paths]) => paths.map((path) => path.split('.').slice(-2)));
  return {
    ...rule,
    phase: 'status',
    code: 'UNKNOWN_CODE',
    levels: having.flatMap(([level, paths]) => (paths.length > 0 ? [level] : [])),
    path: `each ${[...new Set(names.map((two) => two.join('.')))].join(', ')}`,
    find: ({ membersOf }) => {
      const found: Found[] = [];
      for (const { path, value } of membersOf(isSuch)) {
        addFound(found, typeof value === 'string' && isBroken(value), path);
      }
      return found;
    },
  };
}

const listRules = keysOf(movementCodeLists).map((name: CodeListName) => {
  const list: CodeList = movementCodeLists[name];
  return textRule(
    {
      id: `code.${name.replaceAll(' ', '-')}`,
      text: `Invalid code. Expected codes are one of [${describeCodes(list)}]`,
    },
    ({ codeList }) => codeList === name,
    (code) => !hasCode(list, code),
  );
});

const countryRule = textRule(
  { id: 'country', text: 'Country is invalid' },
  ({ country }) => country === true,
  (code) => !countryCodes.has(code),
);

const outgoingCodes = Object.keys(outgoingProcedures);

/** What an error names if a code is that of another mode: those of the mode, in place of it. */
function otherMode(code: string, all: Readonly<Record<string, unknown>>, own: readonly string[]) {
  return Object.hasOwn(all, code) && !own.includes(code) && { codes: own.join(', ') };
}

const ofMode = {
  text: 'Invalid code. Expected codes are one of [{codes}]',
  code: 'NOT_FOR_MODE',
} as const;

const modeRules: readonly Rule[] = [
  transportRule({
    ...ofMode,
    id: 'mode.means',
    path: 'activeBorderTransportMeans.typeOfIdentification',
    isBroken: ({ activeBorderTransportMeans: { typeOfIdentification: code } }, { mode }) =>
      otherMode(code, movementCodeLists.CL750.codes, [mode.typeOfIdentification]),
  }),
  transportRule({
    ...ofMode,
    id: 'mode.transport',
    path: 'activeBorderTransportMeans.modeOfTransportCode',
    isBroken: ({ activeBorderTransportMeans: { modeOfTransportCode: code } }, { mode }) =>
      otherMode(code, movementCodeLists.CL018.codes, [mode.modeOfTransportCode]),
  }),
  houseRule({
    ...ofMode,
    id: 'mode.import-procedure',
    modes: modesThat(({ lacks }) => lacks.length > 0),
    path: 'importProcedure.importProcedure',
    isBroken: ({ importProcedure: { importProcedure: code = '' } = {} }, { mode }) =>
      otherMode(
        code,
        importProcedures,
        keysOf(importProcedures).filter((one) => !mode.lacks.includes(one)),
      ),
  }),
  itemRule('exportFromEU', {
    ...ofMode,
    id: 'mode.export',
    modes: modesThat(({ exportTypes: own }) => own.length < Object.keys(exportTypes).length),
    member: 'typeOfExport',
    isBroken: ({ typeOfExport: code }, { mode }) => otherMode(code, exportTypes, mode.exportTypes),
  }),
  houseRule({
    id: 'outgoing-procedure',
    path: 'importProcedure.outgoingProcedure',
    text: 'When field is provided, it has to be one of [TRA, EXP, TRE]',
    code: 'UNKNOWN_CODE',
    isBroken: ({ importProcedure: { outgoingProcedure: code } = {} }) =>
      code !== undefined && !outgoingCodes.includes(code),
  }),
];

/** The rules of codes. */
export const codeRules: readonly Rule[] = [...listRules, countryRule, ...modeRules];
