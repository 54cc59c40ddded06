// Sends the cases of the rules of movement messages, and compares what is said of them with the list of rules.
import {
  appliesTo,
  checkMovement,
  type ModeName,
  type MovementLevel,
  type MovementRule,
  uncheckedRegisters,
} from '@landfall/contract';
import { type Change, ruleCases } from '@landfall/contract/movement-cases/rule-cases';
import type { Caller } from '../http/caller.js';
import { expect, expectEqual } from '../suite/expect.js';
import { type Changes, type Message, makeMovement } from './movement-messages.js';
import {
  type BrokenRule,
  brokenRules,
  errorsAtOnce,
  expectBroken,
  outcomeOf,
  tryLodge,
} from './movements.js';

/** What is said of a message. */
export type Judgement = {
  phase: 'at once' | 'status' | 'accepted';
  errors: readonly BrokenRule[];
  /** Why it is incomplete, if it is accepted. */
  reasons: readonly string[];
};

/** What the list of rules says of a message, where no register refuses a document. */
export function judge(
  level: MovementLevel,
  mode: ModeName,
  message: Message,
  rules?: readonly MovementRule[],
): Judgement {
  const context = { level, mode, registers: uncheckedRegisters, now: new Date() };
  const checked = checkMovement(message, context, rules);
  if (checked.accepted) {
    const reasons = [...new Set(checked.missing.map(({ code }) => code))];
    return { phase: 'accepted', errors: [], reasons };
  }
  const errors = checked.errors.map(({ field, error, code }) => ({ field, error, code }));
  return { phase: checked.phase, errors, reasons: [] };
}

/** Lodges a message, and returns what the service says of it. */
async function lodgeAndRead(
  caller: Caller,
  level: MovementLevel,
  mode: ModeName,
  message: Message,
): Promise<Judgement> {
  const response = await tryLodge(caller, mode, level, message);
  if (response.status === 400) {
    return { phase: 'at once', errors: errorsAtOnce(response), reasons: [] };
  }
  const status = await outcomeOf(caller, { mode, level }, response);
  if (status.status === 'FAILURE') {
    // A service has registers of its own: what they say of the documents of a message is no rule of the list.
    const broken = brokenRules(status);
    const errors = broken.filter(({ code }) => code !== 'NOT_VERIFIED');
    const isAboutDocuments = errors.length === 0 && broken.length > 0;
    return { phase: isAboutDocuments ? 'accepted' : 'status', errors, reasons: [] };
  }
  const reasons = status.incompleteDocumentationReasonList ?? [];
  return { phase: 'accepted', errors: [], reasons };
}

/** Lodges a message, and expects that the service says of it what the list of rules says. */
async function expectJudged(
  caller: Caller,
  level: MovementLevel,
  mode: ModeName,
  message: Message,
  what: string,
): Promise<Judgement> {
  const expected = judge(level, mode, message);
  const found = await lodgeAndRead(caller, level, mode, message);
  expectEqual(found.phase, expected.phase, `when ${what} is refused`);
  expectEqual(found.reasons, expected.reasons, `the reasons for ${what}`);
  for (const { code, field, error } of expected.errors) {
    expectBroken(found.errors, code, field, error);
  }
  const known = new Set(expected.errors.map(({ field }) => field));
  const other = found.errors.find(({ field }) => !known.has(field));
  expect(other === undefined, `${what}: no rule is broken at ${other?.field}: ${other?.error}`);
  return found;
}

/** A case that the service can be given: its registers and its clock are its own. */
function isSendable(mode: ModeName): (change: Change) => boolean {
  return ({ registers, now, modes }) =>
    registers === undefined && now === undefined && (modes?.includes(mode) ?? true);
}

/** The cases of a rule in a mode: messages, those that break it with the members that are reported. */
export function messagesOf(rule: MovementRule, mode: ModeName) {
  const make = (level: MovementLevel, { changes }: Change) => {
    const own: Changes = typeof changes === 'function' ? changes(mode) : changes;
    return { level, changes: own, message: makeMovement(level, mode, own) };
  };
  // Relations couple messages of the service: their requirements send them.
  const cases = (ruleCases[rule.id] ?? []).flatMap(({ level, ...given }) =>
    level !== 'relation' && appliesTo(rule, level, mode) ? [{ level, ...given }] : [],
  );
  return {
    keeps: cases.flatMap(({ level, keeps }) =>
      keeps.filter(isSendable(mode)).map((change) => make(level, change)),
    ),
    breaks: cases.flatMap(({ level, breaks }) =>
      breaks.filter(isSendable(mode)).map(({ fields, error = rule.text, ...change }) => ({
        ...make(level, change),
        fields,
        error: typeof error === 'function' ? error(mode) : error,
      })),
    ),
  };
}

/** Sends each case of a rule in a mode. */
export async function tryRule(caller: Caller, rule: MovementRule, mode: ModeName): Promise<void> {
  const { keeps, breaks } = messagesOf(rule, mode);
  for (const { level, message, changes } of keeps) {
    const found = await expectJudged(caller, level, mode, message, shown(level, changes));
    const broken = found.errors.filter(({ error }) => error === rule.text);
    expectEqual(broken, [], `the errors of ${shown(level, changes)}, which keeps the rule`);
  }
  for (const { level, message, changes, fields, error } of breaks) {
    const found = await expectJudged(caller, level, mode, message, shown(level, changes));
    const expected = rule.phase === 'completeness' ? 'accepted' : rule.phase;
    expectEqual(found.phase, expected, `when ${shown(level, changes)} is refused`);
    if (rule.phase === 'completeness') {
      expect(
        found.reasons.includes(rule.code),
        `no ${rule.code}, which ${shown(level, changes)} gives`,
      );
      continue;
    }
    const text = error.includes('{') ? undefined : error;
    for (const field of fields) expectBroken(found.errors, rule.code, field, text);
  }
}

function shown(level: MovementLevel, changes: Changes): string {
  const text = JSON.stringify(changes, (_, value) => value ?? null);
  return `a ${level} with ${text.length > 300 ? `${text.slice(0, 300)}...` : text}`;
}
