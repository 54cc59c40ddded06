// Every rule of movement messages has a requirement, or a reason why not, and cases whose outcome shows that it is there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf, movementRules } from '@landfall/contract';
import { modeNames } from '../data/movements.js';
import { judge, messagesOf } from '../data/rule-cases.js';
import { numberedRules, rulesElsewhere } from './movement-rules.js';

test('each rule is in one list', () => {
  const named = [...numberedRules, ...keysOf(rulesElsewhere)];
  assert.equal(new Set(named).size, named.length);
  for (const { id } of movementRules) {
    assert(named.includes(id), `${id}: add it at the end of numberedRules, or to rulesElsewhere`);
  }
});

test('the cases of each rule are judged otherwise without it', () => {
  const unseen: string[] = [];
  for (const rule of movementRules) {
    if (!numberedRules.includes(rule.id) || rule.id === 'passed') continue;
    const others = movementRules.filter((one) => one !== rule);
    for (const mode of modeNames.filter((name) => rule.modes?.includes(name) ?? true)) {
      const { keeps, breaks } = messagesOf(rule, mode);
      assert(keeps.length > 0, `${rule.id} by ${mode}: nothing keeps it`);
      const isSeen = breaks.some(({ level, message }) => {
        const [all, without] = [judge(level, mode, message), judge(level, mode, message, others)];
        return JSON.stringify(all) !== JSON.stringify(without);
      });
      if (!isSeen) unseen.push(`${rule.id} by ${mode}: no case shows it`);
    }
  }
  assert.deepEqual(unseen, []);
});
