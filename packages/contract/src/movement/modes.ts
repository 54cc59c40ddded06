// The modes of transport: what differs between road, air, rail and sea.
import { keysOf } from '../keys-of.js';
import type { ScopeName } from '../scopes.js';
import type { ExportType, ImportProcedure } from './codes/procedures.js';

/** What a mode of transport has of its own. */
export type Mode = {
  name: ModeName;
  /** The version of its operations, as in their addresses. */
  version: 'v1' | 'v2';
  scope: ScopeName;
  /** Its code of CL018. */
  modeOfTransportCode: string;
  /** Its code of CL750, and what that identifies. */
  typeOfIdentification: string;
  identifiedBy: string;
  /** Whether the number of the flight is part of the key of a transport. */
  conveyanceInKey: boolean;
  /** Import procedures that it does not have. */
  lacks: readonly ImportProcedure[];
  /** Whether the outgoing procedure is asked for before the border. */
  asksForOutgoingProcedure: boolean;
  exportTypes: readonly ExportType[];
  /** Types of export that are looked up in a register. */
  exportsLookedUp: readonly Exclude<ExportType, 'EUEIR'>[];
  /** The day from which a GONU no longer stands in place of a CUDE; absent if it never does. */
  gonuUntil?: string;
  arrivalReportedBy: string;
};

export type ModeName = 'road' | 'air' | 'rail' | 'maritime';

const FREIGHT_EXPORTS: readonly ExportType[] = ['AES', 'EUEIR'];

/** The modes of transport, by their name in addresses. */
export const modes: Readonly<Record<ModeName, Mode>> = {
  road: {
    name: 'road',
    version: 'v2',
    scope: 'movement/road/v2',
    modeOfTransportCode: '3',
    typeOfIdentification: '30',
    identifiedBy: 'plate of the tractor',
    conveyanceInKey: false,
    lacks: [],
    asksForOutgoingProcedure: true,
    exportTypes: ['AES', 'EUEIR', 'EIDR'],
    exportsLookedUp: ['AES', 'EIDR'],
    gonuUntil: '2027-03-01',
    arrivalReportedBy: 'camera, or a message',
  },
  air: {
    name: 'air',
    version: 'v1',
    scope: 'movement/air',
    modeOfTransportCode: '4',
    typeOfIdentification: '41',
    identifiedBy: 'tail number of the aircraft',
    conveyanceInKey: true,
    lacks: ['TRANSIT_IMPORT', 'TRANSIT_RELEASE', 'NATO_FORM_302'],
    asksForOutgoingProcedure: false,
    exportTypes: FREIGHT_EXPORTS,
    exportsLookedUp: [],
    arrivalReportedBy: 'airport feed, or a message',
  },
  rail: {
    name: 'rail',
    version: 'v1',
    scope: 'movement/rail',
    modeOfTransportCode: '2',
    typeOfIdentification: '21',
    identifiedBy: 'number of the train',
    conveyanceInKey: false,
    lacks: ['TRANSIT_RELEASE', 'NATO_FORM_302'],
    asksForOutgoingProcedure: false,
    exportTypes: FREIGHT_EXPORTS,
    exportsLookedUp: [],
    arrivalReportedBy: 'officer, or a message',
  },
  maritime: {
    name: 'maritime',
    version: 'v1',
    scope: 'movement/maritime',
    modeOfTransportCode: '1',
    typeOfIdentification: '10',
    identifiedBy: 'IMO number of the ship',
    conveyanceInKey: false,
    lacks: ['TRANSIT_IMPORT', 'TRANSIT_RELEASE', 'NATO_FORM_302'],
    asksForOutgoingProcedure: false,
    exportTypes: FREIGHT_EXPORTS,
    exportsLookedUp: [],
    arrivalReportedBy: 'officer, or a message',
  },
};

/** The modes that are such: in others nobody can break a rule that is for them. */
export function modesThat(isSuch: (mode: Mode) => boolean): ModeName[] {
  return keysOf(modes).filter((name) => isSuch(modes[name]));
}
