// The members that a view can grant, from the contract, and which of them a choice covers.
import type { GoodsItemView } from '@landfall/client';
import { GOODS_ITEM_KEYS, goodsItemMembers } from '@landfall/contract';

/** The path of a member, such as `GoodsItem.DutiesAndTaxes.TaxType`. */
export type Member = NonNullable<GoodsItemView['members']>[number];

/** The members that are sent in every view. */
const ALWAYS_SENT: readonly string[] = GOODS_ITEM_KEYS.map((key) => `GoodsItem.${key}`);

/** The members that can be chosen, in the order of the message: a member comes after the one that it is within. */
export const choosableMembers = goodsItemMembers.filter(
  (member) => !ALWAYS_SENT.includes(member),
  // Safe cast: the types of the client are made from the contract, whose list this is.
) as Member[];

/** How deep a member is: 0 for one of the goods item itself. */
export function depthOf(member: Member): number {
  return member.split('.').length - 2;
}

/** Whether a member is within another one that is chosen, and so granted with it. */
export function isCovered(member: Member, chosen: readonly Member[]): boolean {
  return chosen.some((one) => member.startsWith(`${one}.`));
}

/** The choice with a member, in place of those within it; or without it. */
export function chooseMember(
  chosen: readonly Member[],
  member: Member,
  isChosen: boolean,
): Member[] {
  const others = chosen.filter((one) => one !== member && !one.startsWith(`${member}.`));
  if (!isChosen) return others;
  const order = (one: Member) => goodsItemMembers.indexOf(one);
  return [...others, member].sort((one, other) => order(one) - order(other));
}
