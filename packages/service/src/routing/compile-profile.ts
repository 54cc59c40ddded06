// Decides house consignments by a routing profile. The result depends on nothing else. Pure: no database.
import { createHash } from 'node:crypto';
import type {
  ModeOfTransport,
  Routing,
  RoutingConditions,
  RoutingControlLocation,
  RoutingProfile,
  RoutingRule,
  TransportDocumentType,
} from '@landfall/contract';

/** The facts about a house consignment and its declaration that a profile depends on. */
export type ConsignmentFacts = {
  customsOfficeOfFirstEntry: string;
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

/** A profile that can decide. */
export type CompiledProfile = {
  /**
   * The decision of the first rule that applies; `undefined` if none does.
   *
   * @param id the id of the house consignment, which seeds the choice of shares
   * @param onHeld is called with the number of each rule whose conditions hold, until one decides
   */
  decide(
    id: string,
    facts: ConsignmentFacts,
    onHeld?: (rule: number) => void,
  ): ProfileDecision | undefined;
};

/**
 * The value or values that each condition tests. An unknown value matches no condition; of several, one must match.
 */
type Properties = Record<keyof RoutingConditions, string | readonly string[] | undefined>;

/** Compiles a valid profile. */
export function compileProfile({ salt, rules }: RoutingProfile): CompiledProfile {
  const compiled = rules.map((rule, index) => ({
    holds: compileConditions(rule.when ?? {}),
    isChosen: compileShare(salt, index + 1, rule),
    decision: {
      rule: index + 1,
      routing: rule.routing,
      routingControlLocation: rule.routingControlLocation,
    },
  }));
  return {
    decide: (id, facts, onHeld) => {
      const properties = propertiesOf(facts);
      for (const { holds, isChosen, decision } of compiled) {
        if (!holds(properties)) continue;
        onHeld?.(decision.rule);
        if (isChosen(id)) return decision;
      }
      return undefined;
    },
  };
}

function compileConditions(conditions: RoutingConditions): (properties: Properties) => boolean {
  // The cast is true because the names are those of the conditions.
  const names = Object.keys(conditions) as (keyof RoutingConditions)[];
  const wanted = names.map((name) => ({ name, values: new Set<string>(conditions[name]) }));
  return (properties) =>
    wanted.every(({ name, values }) => {
      const value = properties[name];
      if (value === undefined) return false;
      return typeof value === 'string' ? values.has(value) : value.some((one) => values.has(one));
    });
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
  const { customsOfficeOfFirstEntry, documentType } = facts;
  return {
    customsOfficeOfFirstEntry,
    officeCountry: customsOfficeOfFirstEntry.slice(0, 2),
    transportDocumentType: documentType,
    modeOfTransport: modeOf(facts),
    originCountry: originOf(facts),
    destinationCountry: facts.receptacleId?.slice(6, 8),
    harmonizedSystemChapter: facts.subheadings?.map((subheading) => subheading.slice(0, 2)),
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

function modeOf({ typeOfIdentification, documentType }: ConsignmentFacts): string | undefined {
  const mode = typeOfIdentification?.slice(0, 1) ?? '';
  return modesOfMeans.includes(mode) ? mode : modesOfDocuments[documentType];
}

/** UPU S10: service, serial number with check digit, country of the operator that accepted the item. */
const postalItem = /^[A-Z]{2}[0-9]{9}([A-Z]{2})$/;

function originOf({ receptacleId, documentType, documentNumber }: ConsignmentFacts) {
  if (typeof receptacleId === 'string') return receptacleId.slice(0, 2);
  return modesOfDocuments[documentType] === '5' ? postalItem.exec(documentNumber)?.[1] : undefined;
}
