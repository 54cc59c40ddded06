// Requirements on the rules of movement messages, generated: one for each rule of the list, in each mode.
import { type ModeName, type MovementRule, modes, movementRules } from '@landfall/contract';
import { fromNow, makeMovement } from '../data/movement-messages.js';
import { brokenRules, byMode, expectBroken, lodgeForStatus, mover } from '../data/movements.js';
import { tryRule } from '../data/rule-cases.js';
import { expectEqual } from '../suite/expect.js';
import {
  type Area,
  api,
  type Case,
  decision,
  national,
  type Requirement,
} from '../suite/requirement.js';

/** The rules in the order of their ids, which never change: a new rule is added at the end, and one that is gone stays. */
export const numberedRules: readonly string[] = [
  'required',
  'type',
  'blank',
  'size',
  'number',
  'form.line',
  'form.lines',
  'form.instant',
  'form.date',
  'form.declarantNumber',
  'form.sequenceNumber',
  'form.subheading',
  'street-or-box',
  'documents-together',
  'receptacles-together',
  'code.CL018',
  'code.CL228',
  'code.CL707',
  'code.CL708',
  'code.CL709',
  'code.CL710',
  'code.CL711',
  'code.CL729',
  'code.CL750',
  'code.CL751',
  'code.CL754',
  'code.CL756',
  'code.import-procedures',
  'code.types-of-export',
  'country',
  'mode.means',
  'mode.transport',
  'mode.import-procedure',
  'mode.export',
  'outgoing-procedure',
  'customs-office',
  'unlo-code',
  'place',
  'equipment.master',
  'equipment.house',
  'operator',
  'passed',
  'receptacle-and-master',
  'direct-and-other',
  'direct-without-transport',
  'transport-without-direct',
  'documents-without-procedure',
  'one-cude',
  'cude.declarantNumber',
  'cude.declarationDate',
  'cude.sequenceNumber',
  'reference-number',
  'not-for-procedure.declarantNumber',
  'not-for-procedure.declarationDate',
  'not-for-procedure.sequenceNumber',
  'repeated-reference',
  'transit-and-export',
  'export-and-transit',
  'repeated-export',
  'export-form',
  'goods-items-without-voec',
  'voec-value',
  'needs.procedure',
  'needs.IMMEDIATE_RELEASE_IMPORT',
  'needs.CUSTOMS_DECLARATION',
  'needs.WAREHOUSE_RELEASE',
  'needs.goods-number',
  'needs.TRANSIT_IMPORT.TRA',
  'needs.TRANSIT_RELEASE',
  'needs.TRANSIT_RELEASE.EXP',
  'needs.IMMEDIATE_RELEASE_VOEC',
  'needs.ATA_CARNET',
  'needs.TIR_CARNET',
  'needs.NATO_FORM_302',
  'needs.export',
  'needs.transit',
  'needs.outgoing-procedure',
];

/** Rules that other requirements are about, or none, and why. */
export const rulesElsewhere: Readonly<Record<string, string>> = {
  'key.transport': 'MKEY-001: another message decides',
  'key.master': 'MKEY-002: another message decides',
  'key.house': 'MKEY-003: another message decides',
  'key.relation': 'MREL-010: another relation decides',
  choice: 'MREL-004: relations alone have such a member',
  'form.mrn': 'MREL-004: relations alone have such a member',
  'relation.types': 'MREL-002: the messages that are related decide',
  'relation.parent': 'MREL-003: the messages that are related decide',
  'relation.child': 'MREL-003: the messages that are related decide',
  'relation.presented': 'MREL-009: goods that were presented decide',
  'relation.ended': 'MREL-014: the messages that are related decide',
  'needs.TRANSIT_IMPORT':
    'needs.transit and needs.TRANSIT_IMPORT.TRA give the same reason whenever it does',
  'cude-not-valid': 'each service has registers of its own',
  'transit-not-valid': 'each service has registers of its own',
  'export-not-valid': 'each service has registers of its own',
  'voec-number-not-valid': 'each service has registers of its own',
  'cude-not-found': 'each service has registers of its own',
  'transit-not-found': 'each service has registers of its own',
  'cude-not-answered': 'each service has registers of its own',
};

/** The id of the requirement on a rule. */
export function idOfRule(rule: string): string {
  return `RULE-${String(numberedRules.indexOf(rule) + 1).padStart(3, '0')}`;
}

const MINUTE_MS = 60_000;

/** The clock of the service is its own, so the times are those of the case. */
const passed =
  (mode: ModeName): Case =>
  async (context) => {
    const caller = mover(context);
    const at = (ms: number) =>
      makeMovement('transport', mode, { estimatedDateAndTimeOfArrival: fromNow(ms) });
    const soon = await lodgeForStatus(caller, mode, 'transport', at(-9 * MINUTE_MS));
    expectEqual(soon.status, 'SUCCESS', 'the status of a transport that came 9 minutes ago');
    const late = await lodgeForStatus(caller, mode, 'transport', at(-11 * MINUTE_MS));
    const text = 'estimatedDateAndTimeOfArrival has already passed';
    expectBroken(brokenRules(late), 'TIME_OUT_OF_RANGE', 'estimatedDateAndTimeOfArrival', text);
  };

function sentenceOf({ path, text, phase, code }: MovementRule): string {
  const outcome = {
    'at once': `is refused at once with ${code}`,
    status: `has a status that is FAILURE with ${code}`,
    completeness: `is accepted, and incomplete with ${code}`,
  }[phase];
  // Long lists of codes are not part of the sentence.
  const shown = text.replace(/\[[^[\]]{60,}\]/, '[...]');
  return `A message that breaks "${shown}" (${path}) ${outcome}, and no other is.`;
}

export const movementRulesArea: Area = {
  name: 'Rules of movement messages',
  requirements: numberedRules.flatMap((id): Requirement[] => {
    const rule = movementRules.find((one) => one.id === id);
    if (rule === undefined) return [];
    const names = Object.values(modes)
      .map(({ name }) => name)
      .filter((name) => rule.modes?.includes(name) ?? true);
    return [
      {
        id: idOfRule(id),
        sentence: sentenceOf(rule),
        sources: [
          api('lodgeTransport', 'lodgeMasterConsignment', 'lodgeHouseConsignment'),
          decision(249),
          national('Movement, validation'),
        ],
        needs: ['presenter'],
        cases: byMode(
          (mode) =>
            id === 'passed' ? passed(mode) : (context) => tryRule(mover(context), rule, mode),
          names,
        ),
      },
    ];
  }),
};
