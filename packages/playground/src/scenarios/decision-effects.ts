// The effects of the scenarios of decisions.
import type { DecidedGoods } from '../decisions/goods.js';
import { readGoodsReference } from '../decisions/goods.js';
import type { AfterHandling, EffectContext, Effects } from './effect.js';
import { HEADER_BURST } from './scenario-state.js';

export const decisionEffects = {
  'late-decision': {
    before: ({ afterSeconds }, context) =>
      takeBack(context, (goods) => context.decisions.schedule(goods, afterSeconds)),
  },
  'changed-decision': {
    before: async ({ afterSeconds, routing }, { request, decisions }) => {
      const reference = readGoodsReference(request);
      const found = reference === undefined ? [] : await decisions.findDecided(reference);
      return async () => {
        const presented = await decisions.settle(found);
        const changed = presented.map((goods) => changeRouting(goods, routing));
        await decisions.schedule(changed, afterSeconds);
        return presented.length > 0;
      };
    },
  },
  'no-decision': {
    before: (_scenario, context) => takeBack(context, async () => undefined),
  },
  'signal-bursts': {
    before: ({ size, id = HEADER_BURST, endsAt, isReleased }, context) =>
      takeBack(context, (goods) =>
        isReleased?.() === true
          ? context.decisions.schedule(goods, 0)
          : context.decisions.hold(id, size, goods, endsAt),
      ),
  },
} satisfies Partial<Effects>;

/**
 * Takes the decisions of the goods back before they are presented; afterwards, what is presented is handed over. Without any,
 * as when the request was refused, it took no effect.
 */
async function takeBack(
  { request, decisions }: EffectContext,
  presented: (goods: readonly DecidedGoods[]) => Promise<void>,
): Promise<AfterHandling> {
  const reference = readGoodsReference(request);
  const taken = reference === undefined ? [] : await decisions.takeBack(reference);
  return async () => {
    const settled = await decisions.settle(taken);
    await presented(settled);
    return settled.length > 0;
  };
}

function changeRouting(goods: DecidedGoods, requested: DecidedGoods['routing'] | undefined) {
  const { routingControlLocation, routing: before, ...house } = goods;
  const routing = requested ?? (before === 'TO_ENTRY' ? 'TO_CONTROL' : 'TO_ENTRY');
  if (routing === 'TO_ENTRY') return { ...house, routing };
  return { ...house, routing, routingControlLocation: routingControlLocation ?? 'ON_ENTRY' };
}
