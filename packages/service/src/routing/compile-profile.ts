// What a routing profile decides of a house consignment: always the same of the same one. Pure: no database.
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

/** What of a house consignment and its ENS a profile goes by. */
export type ConsignmentFacts = {
  customsOfficeOfFirstEntry: string;
  documentNumber: string;
  documentType: TransportDocumentType;
  receptacleId?: string | null | undefined;
  /** Of the Harmonized System, six digits each. */
  subheadings?: readonly string[] | null | undefined;
  /** Of the means of transport at the border. */
  typeOfIdentification?: string | null | undefined;
};

/** What a profile has decided; `rule` is the place of the rule, from 1. */
export type ProfileDecision = {
  rule: number;
  routing: Routing;
  routingControlLocation: RoutingControlLocation | undefined;
};

/** A profile that is ready to decide. */
export type CompiledProfile = {
  /**
   * What the first rule that holds decides; `undefined` when none does.
   *
   * @param id the id of the house consignment, which seeds the choice of shares
   * @param noteHeld is told the place, from 1, of each rule whose conditions hold until one decides
   */
  decide(
    id: string,
    facts: ConsignmentFacts,
    noteHeld?: (rule: number) => void,
  ): ProfileDecision | undefined;
};

/**
 * What conditions are about, by the name of the condition. What is not known fits none; of several values one must fit.
 */
type Properties = Record<keyof RoutingConditions, string | readonly string[] | undefined>;

/** Makes a profile ready; it was checked. */
export function compileProfile({ salt, rules }: RoutingProfile): CompiledProfile {
  const compiled = rules.map((rule, place) => ({
    holds: compileConditions(rule.when ?? {}),
    isChosen: compileShare(salt, place + 1, rule),
    decision: {
      rule: place + 1,
      routing: rule.routing,
      routingControlLocation: rule.routingControlLocation,
    },
  }));
  return {
    decide: (id, facts, noteHeld) => {
      const properties = propertiesOf(facts);
      for (const { holds, isChosen, decision } of compiled) {
        if (!holds(properties)) continue;
        noteHeld?.(decision.rule);
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
 * A fraction from 0 up to 1 that looks random and is the same for the same salt, rule and house consignment: the
 * first 48 bits of SHA-256 of `<salt>:<rule>:<id>`. Anyone who has these can compute it again.
 *
 * @param rule the place of the rule, from 1: shares of two rules are chosen independently of each other
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

/** The first digit of the type of identification of the means of transport (CL219) is the mode. */
const modesOfMeans: readonly string[] = ['1', '2', '3', '4', '8'] satisfies ModeOfTransport[];

/** Where no means of transport is known: the mode that a document is used in, as far as it is used in one alone. */
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
