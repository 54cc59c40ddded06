// Faults of the rules of movement messages, generated: a server that does not know one of them.
import { movementRules } from '@landfall/contract';
import { judge } from '../data/rule-cases.js';
import { idOfRule, numberedRules } from '../requirements/movement-rules.js';
import { type Fault, jsonOf, respondProblem } from './fault.js';
import { answersSome, isLodging, movementOf } from './movement-requests.js';

/** One for each rule that has a requirement. */
export const generatedRuleFaults: readonly Fault[] = movementRules
  .filter(({ id }) => numberedRules.includes(id))
  .map((rule) => {
    const others = movementRules.filter((one) => one !== rule);
    return {
      name: `does not know the rule ${rule.id} of movement messages`,
      caughtBy: [idOfRule(rule.id)],
      make: answersSome((request, statuses) => {
        const about = movementOf(request);
        if (!isLodging(request) || about === undefined) return undefined;
        const body = jsonOf({ body: Buffer.from(request.body, 'latin1').toString() });
        const all = judge(about.level, about.mode, body);
        const { phase, errors, reasons } = judge(about.level, about.mode, body, others);
        if (JSON.stringify(all) === JSON.stringify({ phase, errors, reasons })) return undefined;
        if (phase === 'at once') return respondProblem(400, errors);
        if (phase === 'status') return statuses.fail(request, ...errors);
        return statuses.succeed(request, reasons);
      }),
    };
  });
