// Decides house consignments by a routing profile. The result depends on nothing else. Pure: no database.
import { createHash } from 'node:crypto';
import {
  identifierKey,
  type ModeName,
  type ModeOfTransport,
  modes,
  type Routing,
  type RoutingConditions,
  type RoutingControlLocation,
  type RoutingProfile,
  type RoutingRule,
  type TransportDocumentType,
} from '@landfall/contract';

/** What a message says of goods that were lodged; nothing of it is known of goods of an ENS. */
export type LodgedFacts = {
  /** The name of their mode of transport. */
  lodgedMode?: ModeName | null | undefined;
  importProcedure?: string | null | undefined;
  outgoingProcedure?: string | null | undefined;
  /** Of goods that name no carrier, it is known when they are presented. */
  carrierIdentificationNumber?: string | null | undefined;
  consignorCountry?: string | null | undefined;
  /** In kilograms. */
  grossMass?: number | null | undefined;
};

/** The facts about a house consignment and its declaration that a profile depends on. */
export type ConsignmentFacts = LodgedFacts & {
  /** Unknown for goods that were lodged, until they are presented. */
  customsOfficeOfFirstEntry?: string | null | undefined;
  documentNumber: string;
  documentType: TransportDocumentType;
  receptacleId?: string | null | undefined;
  /** Subheadings of the Harmonized System, six digits each. */
  subheadings?: readonly string[] | null | undefined;
  /** The type of the means of transport at the border. */
  typeOfIdentification?: string | null | undefined;
};

/** A decision by a profile. `rule` is the number of the rule, from 1. */
export type ProfileDecision = {
  rule: number;
  routing: Routing;
  routingControlLocation: RoutingControlLocation | undefined;
};

/** A rule that was examined for a house consignment, because no earlier rule decides on it. */
export type ExaminedRule = {
  /** The number of the rule, from 1. */
  rule: number;
  /** The conditions that hold, each on its own. */
  conditions: readonly ConditionName[];
  /** Whether all of its conditions hold. */
  holds: boolean;
};

/** The name of a condition. */
export type ConditionName = keyof RoutingConditions;

/** A profile that can decide. */
export type CompiledProfile = {
  /**
   * The decision of the first rule that applies; `undefined` if none does, or if it depends on a fact that is not known yet.
   *
   * @param id the id of the house consignment, which seeds the choice of shares
   * @param onExamined is called with each rule until one decides; without it, a rule is examined only until one of its
   *   conditions does not hold
   */
  decide(
    id: string,
    facts: ConsignmentFacts,
    onExamined?: (examined: ExaminedRule) => void,
  ): ProfileDecision | undefined;
};

/**
 * The value or values that each condition tests. A value that the goods do not have matches no condition; of several, one
 * must match.
 */
type Properties = Record<ConditionName, string | number | readonly string[] | undefined>;

/** The value of a property that is not known yet: no code or country. */
const UNKNOWN_YET = 'unknown yet';

/** Compiles a valid profile. */
export function compileProfile({ salt, rules }: RoutingProfile): CompiledProfile {
  const compiled = rules.map((rule, index) => ({
    conditions: compileConditions(rule.when ?? {}),
    isChosen: compileShare(salt, index + 1, rule),
    decision: {
      rule: index + 1,
      routing: rule.routing,
      routingControlLocation: rule.routingControlLocation,
    },
  }));
  return {
    decide: (id, facts, onExamined) => {
      const properties = propertiesOf(facts);
      for (const { conditions, isChosen, decision } of compiled) {
        const isUnknown = ({ name }: CompiledCondition) => properties[name] === UNKNOWN_YET;
        // Goods must not escape a control because a rule cannot be asked yet.
        const depends =
          conditions.some(isUnknown) &&
          conditions.every((condition) => isUnknown(condition) || condition.holds(properties));
        if (depends && isChosen(id)) return undefined;
        const holds = conditions.every((condition) => condition.holds(properties));
        onExamined?.({
          rule: decision.rule,
          conditions: conditions
            .filter((condition) => condition.holds(properties))
            .map(({ name }) => name),
          holds,
        });
        if (holds && isChosen(id)) return decision;
      }
      return undefined;
    },
  };
}

type CompiledCondition = { name: ConditionName; holds: (properties: Properties) => boolean };

function compileConditions(conditions: RoutingConditions): CompiledCondition[] {
  return conditionNames(conditions).map((name) => {
    const wanted = conditions[name];
    if (typeof wanted === 'number') {
      const holds = ({ [name]: value }: Properties) => typeof value === 'number' && value >= wanted;
      return { name, holds };
    }
    const values = new Set<string>(wanted);
    const holds = (properties: Properties) => {
      const value = properties[name];
      if (value === undefined || typeof value === 'number') return false;
      return typeof value === 'string' ? values.has(value) : value.some((one) => values.has(one));
    };
    return { name, holds };
  });
}

/** The names of the conditions of a rule, in its order. */
export function conditionNames(conditions: RoutingConditions): ConditionName[] {
  // The cast is true because the names are those of the conditions.
  return Object.keys(conditions) as ConditionName[];
}

function compileShare(salt: string, rule: number, { share }: RoutingRule): (id: string) => boolean {
  if (share === undefined || share >= 1) return () => true;
  return (id) => drawFraction(salt, rule, id) < share;
}

/**
 * A pseudorandom fraction, at least 0 and less than 1: the first 48 bits of SHA-256 of `<salt>:<rule>:<id>`. Anyone can
 * compute it again from these.
 *
 * @param rule the number of the rule, from 1: the shares of two rules are independent of each other
 */
function drawFraction(salt: string, rule: number, id: string): number {
  const digest = createHash('sha256').update(`${salt}:${rule}:${id.toLowerCase()}`).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

function propertiesOf(facts: ConsignmentFacts): Properties {
  const { customsOfficeOfFirstEntry: office, documentType, lodgedMode } = facts;
  const isLodged = typeof lodgedMode === 'string';
  // An office is known of all goods of an ENS, and of those that were lodged when they are presented.
  const notNamed = isLodged && typeof office !== 'string' ? UNKNOWN_YET : undefined;
  return {
    customsOfficeOfFirstEntry: office ?? UNKNOWN_YET,
    officeCountry: office?.slice(0, 2) ?? UNKNOWN_YET,
    transportDocumentType: documentType,
    modeOfTransport: modeOf(facts),
    originCountry: originOf(facts),
    destinationCountry: facts.receptacleId?.slice(6, 8),
    harmonizedSystemChapter: facts.subheadings?.map((subheading) => subheading.slice(0, 2)),
    importProcedure: facts.importProcedure ?? undefined,
    outgoingProcedure: facts.outgoingProcedure ?? undefined,
    carrierIdentificationNumber: facts.carrierIdentificationNumber ?? notNamed,
    consignorCountry: facts.consignorCountry ?? undefined,
    grossMassFrom: facts.grossMass ?? undefined,
    notified: isLodged ? 'MOVEMENT' : 'ENS',
  };
}

/** The modes of transport that the first digit of a type of identification (CL219) can name. */
const modesOfMeans: readonly string[] = ['1', '2', '3', '4', '8'] satisfies ModeOfTransport[];

/** The modes of documents that are used in one mode only. They apply if the means of transport is unknown. */
const modesOfDocuments: Partial<Record<TransportDocumentType, ModeOfTransport>> = {
  N703: '1',
  N704: '1',
  N705: '1',
  N714: '1',
  N720: '2',
  N722: '2',
  N730: '3',
  N740: '4',
  N741: '4',
  N750: '5',
  C664: '5',
  C665: '5',
  C625: '8',
};

function modeOf({
  lodgedMode,
  typeOfIdentification,
  documentType,
}: ConsignmentFacts): string | undefined {
  if (typeof lodgedMode === 'string') return modes[lodgedMode].modeOfTransportCode;
  const mode = typeOfIdentification?.slice(0, 1) ?? '';
  return modesOfMeans.includes(mode) ? mode : modesOfDocuments[documentType];
}

/** UPU S10: service, serial number with check digit, country of the operator that accepted the item. */
const postalItem = /^[A-Z]{2}[0-9]{9}([A-Z]{2})$/;

function originOf({ receptacleId, documentType, documentNumber }: ConsignmentFacts) {
  if (typeof receptacleId === 'string') return receptacleId.slice(0, 2);
  // As it is printed on labels, an item number may have blanks, and it is the same in small letters.
  const item = identifierKey(documentNumber);
  return modesOfDocuments[documentType] === '5' ? postalItem.exec(item)?.[1] : undefined;
}
