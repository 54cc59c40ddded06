// Every rule of movement messages is kept and broken by cases, in each mode that it is for; a rule that is disabled, or
// that always finds something, fails them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { validationErrorCodes } from '../../errors.js';
import { keysOf } from '../../keys-of.js';
import { setMember } from '../cases/change-message.js';
import { exampleTime, makeExample } from '../cases/examples.js';
import { type Change, type RuleCase, ruleCases } from '../cases/rule-cases.js';
import { checkMovement } from '../check-message.js';
import { type MovementMessageName, movementMessages } from '../levels.js';
import { type ModeName, modes } from '../modes.js';
import { uncheckedRegisters } from '../registers.js';
import type { Rule } from './rule.js';
import { appliesTo, movementRules } from './rules.js';

type Found = { rule: string; field: string; error: string; code: string };

/** What the rules find in an example with some changes. */
function judge(
  level: MovementMessageName,
  mode: ModeName,
  { changes, registers = {}, now = exampleTime, cancels }: Change,
  rules: readonly Rule[],
): Found[] {
  const message = makeExample(level, mode);
  const all = typeof changes === 'function' ? changes(mode) : changes;
  for (const [path, value] of Object.entries(all)) setMember(message, path, value);
  const given = { level, mode, now, registers: { ...uncheckedRegisters, ...registers } };
  const checked = checkMovement(message, { ...given, ...(cancels && { cancels }) }, rules);
  return checked.accepted ? checked.missing : checked.errors;
}

const isFor = (mode: ModeName) => (change: Change) => change.modes?.includes(mode) ?? true;

/** Tries a rule with its cases, by a list of rules; throws if the rule does not do what they say. */
function tryCases(rule: Rule, mode: ModeName, cases: readonly RuleCase[], rules = movementRules) {
  let kept = 0;
  let broken = 0;
  for (const { level, keeps, breaks } of cases) {
    if (!appliesTo(rule, level, mode)) continue;
    for (const change of keeps.filter(isFor(mode))) {
      kept += 1;
      const found = judge(level, mode, change, rules).filter((one) => one.rule === rule.id);
      assert.deepEqual(found, [], `${rule.id} by ${mode} is not kept by ${show(change)}`);
    }
    for (const { fields, error, ...change } of breaks.filter(isFor(mode))) {
      broken += 1;
      const found = judge(level, mode, change, rules).filter((one) => one.rule === rule.id);
      const hint = `${rule.id} by ${mode} is not broken by ${show(change)}: ${JSON.stringify(judge(level, mode, change, rules))}`;
      assert.deepEqual(
        found.map(({ field }) => field),
        fields,
        hint,
      );
      for (const one of found) {
        assert.equal(one.code, rule.code);
        if (error !== undefined) {
          assert.equal(one.error, typeof error === 'function' ? error(mode) : error);
        } else if (!rule.text.includes('{')) assert.equal(one.error, rule.text);
        assert.doesNotMatch(one.error, /\{\w+\}|undefined/);
      }
    }
  }
  assert(kept > 0 && broken > 0, `${rule.id} has no cases by ${mode}`);
}

const show = (change: Change) =>
  JSON.stringify({ ...change, registers: undefined }, undefined, 0).slice(0, 400);

test('every rule has an id of its own, and cases; no case is of a rule that is gone', () => {
  const ids = movementRules.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual([...ids].sort(), Object.keys(ruleCases).sort());
});

test('the example of each level keeps every rule, and is complete, in each mode', () => {
  for (const level of keysOf(movementMessages)) {
    for (const mode of keysOf(modes)) {
      assert.deepEqual(judge(level, mode, { changes: {} }, movementRules), [], `${level} ${mode}`);
    }
  }
});

test('every code of an error is listed', () => {
  for (const { phase, code } of movementRules) {
    if (phase !== 'completeness') assert(Object.hasOwn(validationErrorCodes, code), code);
  }
});

for (const rule of movementRules) {
  const cases = ruleCases[rule.id] ?? [];
  const applying = keysOf(modes).filter((mode) => rule.modes?.includes(mode) ?? true);
  describe(rule.id, () => {
    test('is kept and broken by its cases at each of its levels', () => {
      assert(applying.length > 0);
      for (const mode of applying) tryCases(rule, mode, cases);
    });

    test('fails its cases if it finds nothing, or always something', () => {
      const replace = (find: Rule['find']) =>
        movementRules.map((one): Rule => (one === rule ? { ...rule, find } : one));
      const always = cases.flatMap(({ breaks }) => breaks.flatMap(({ fields }) => fields));
      for (const mode of applying) {
        const nothing = replace(() => []);
        assert.throws(() => tryCases(rule, mode, cases, nothing), /is not broken by/);
        const something = replace(() => always.map((field) => ({ field })));
        assert.throws(() => tryCases(rule, mode, cases, something), /is not kept by/);
      }
    });
  });
}
