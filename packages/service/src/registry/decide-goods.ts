// What registering decides on house consignments: reads what was known of them, and applies the rules.
import type { PreNotifiedHouseConsignment } from '@landfall/contract';
import type { Queryable } from '../database/database.js';
import type { ConsignmentFacts } from '../routing/compile-profile.js';
import type { Route } from '../routing/decision-rules.js';
import type { LiveProfile } from '../routing/profiles.js';
import {
  type DecidedBefore,
  decideRegistered,
  type NewDecision,
  type RegistrationRules,
  routeNow,
} from '../routing/registered-decisions.js';
import { readDecidedBefore } from '../routing/registered-goods.js';
import type { ToldGoods } from '../routing/told-twice.js';
import type { HouseToWrite } from './house-queries.js';
import type { DeclarationMembers } from './read-incoming.js';
import { selectRegisteredHouses } from './registered-house-queries.js';

/** House consignments to write, by what is done with them. */
export type Goods<One> = { added: One[]; returned: One[]; changed: One[] };

/** A house consignment that is written, before it is decided. */
export type GoodsToDecide = Omit<HouseToWrite, 'route'> & {
  /** Presented goods keep what was decided. */
  isPresented?: boolean;
};

/** What was registered of house consignments, and decided on them, by their ids. */
export type KnownGoods = ReadonlyMap<
  string,
  { registered: PreNotifiedHouseConsignment; before: DecidedBefore }
>;

export async function readKnown(
  transaction: Queryable,
  goods: readonly Pick<GoodsToDecide, 'id'>[],
): Promise<KnownGoods> {
  if (goods.length === 0) return new Map();
  const ids = goods.map(({ id }) => id);
  const registered = await transaction.query(selectRegisteredHouses(ids));
  return readDecided(transaction, registered);
}

/** Adds what was decided to what was registered. */
export async function readDecided(
  transaction: Queryable,
  houses: readonly { id: string; registered: PreNotifiedHouseConsignment }[],
): Promise<KnownGoods> {
  const decided = await readDecidedBefore(
    transaction,
    houses.map(({ id }) => id),
  );
  return new Map(
    houses.map(({ id, registered }) => {
      const row = decided.get(id);
      const before = {
        registered: routeOf(registered),
        current: row?.current ?? undefined,
        last: row?.last ?? 0,
      };
      return [id, { registered, before }];
    }),
  );
}

/** The routing of each, and the decisions that are stored. */
export function decideGoods(
  goods: Goods<GoodsToDecide>,
  known: KnownGoods,
  profile: LiveProfile | undefined,
  rules: RegistrationRules | undefined,
  told: ToldGoods,
): { houses: Goods<HouseToWrite>; decisions: NewDecision[] } {
  const decisions: NewDecision[] = [];
  const decide = (each: GoodsToDecide, isListedBefore: boolean): HouseToWrite => {
    const { id, declaration, house, isPresented = false } = each;
    const before = known.get(id);
    if (isPresented) return { ...each, route: routeNow(before?.before.current) };
    const decided = decideRegistered(
      {
        id,
        facts: factsOf(declaration.members, house),
        registered: routeOf(house),
        before: before?.before,
        // A declaration that changes as well has all of its house consignments decided again.
        hasNewFacts:
          !isListedBefore || before === undefined || !hasSameFacts(before.registered, house),
        told: told.get(id),
      },
      profileFor(declaration.members, profile),
      rules,
    );
    decisions.push(...decided.decisions);
    return { ...each, route: decided.route };
  };
  return {
    houses: {
      added: goods.added.map((each) => decide(each, false)),
      returned: goods.returned.map((each) => decide(each, false)),
      changed: goods.changed.map((each) => decide(each, true)),
    },
    decisions,
  };
}

/** The profile that decides on goods of a declaration; none decides on what is incomplete. */
export function profileFor(
  { lodged }: DeclarationMembers,
  profile: LiveProfile | undefined,
): LiveProfile | undefined {
  return lodged?.isComplete === false ? undefined : profile;
}

/** The facts that a routing profile depends on. */
export function factsOf(
  members: DeclarationMembers,
  house: PreNotifiedHouseConsignment,
): ConsignmentFacts {
  return {
    customsOfficeOfFirstEntry: members.customsOfficeOfFirstEntry,
    documentNumber: house.transportDocumentHouseLevel.documentNumber,
    documentType: house.transportDocumentHouseLevel.type,
    receptacleId: house.receptacleId,
    subheadings: house.harmonizedSystemSubheadingCode,
    typeOfIdentification: members.activeBorderTransportMeans?.typeOfIdentification,
    ...members.lodged?.facts,
  };
}

/** Whether two forms of a house consignment have the same facts; its document is what identifies it. */
function hasSameFacts(one: PreNotifiedHouseConsignment, other: PreNotifiedHouseConsignment) {
  const textOf = ({ receptacleId, harmonizedSystemSubheadingCode: codes }: typeof one) =>
    JSON.stringify([receptacleId, codes ?? []]);
  return textOf(one) === textOf(other);
}

function routeOf({
  routing,
  routingControlLocation,
}: PreNotifiedHouseConsignment): Route | undefined {
  return routing === undefined
    ? undefined
    : { routing, routingControlLocation: routingControlLocation ?? null };
}
