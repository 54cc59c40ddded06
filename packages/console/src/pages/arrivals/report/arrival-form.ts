// The form by which an officer reports the arrival of a transport, and the arrival that it makes.
import type { TransportArrival } from '@landfall/client';
import { readCode, readScan } from '../../../identifiers/read-scan.js';

/** What is entered. */
export type ArrivalValues = {
  mrn: string;
  mode: string;
  means: string;
  journey: string;
  /** As a field for dates with times has it, in the time zone of the offices. */
  at: string;
  office: string;
};

/** A field of the form. */
export type ArrivalField = keyof ArrivalValues;

/** The fields in the order of the form, each with the path of its value in the arrival. */
const paths: Record<ArrivalField, string> = {
  mrn: 'mrn',
  mode: 'mode',
  means: 'identificationNumber',
  journey: 'conveyanceReferenceNumber',
  at: 'dateAndTimeOfArrival',
  office: 'customsOfficeOfArrival.referenceNumber',
};

// Safe cast: these are the keys of the object.
const FIELDS = Object.keys(paths) as ArrivalField[];

/** Fields of a transport whose MRN is not known. */
const SEEN: readonly ArrivalField[] = ['mode', 'means', 'journey'];

/** The fields that are shown: with an MRN, nothing else says which transport it is. */
export function shownFields({ mrn }: ArrivalValues): ArrivalField[] {
  return FIELDS.filter((field) => mrn.trim() === '' || !SEEN.includes(field));
}

/**
 * The arrival that is reported. What was not entered is left out, for the service to say so.
 *
 * @param toInstant the instant of a date with a time
 */
export function makeArrival(
  values: ArrivalValues,
  toInstant: (at: string) => string | undefined,
): TransportArrival {
  const mrn = readCode(values.mrn);
  const at = toInstant(values.at);
  const office = readCode(values.office);
  const given = {
    ...(mrn === ''
      ? {
          ...(values.mode !== '' && { mode: values.mode }),
          ...(values.means.trim() !== '' && { identificationNumber: readScan(values.means) }),
          ...(values.journey.trim() !== '' && {
            conveyanceReferenceNumber: readScan(values.journey),
          }),
        }
      : { mrn }),
    ...(at !== undefined && { dateAndTimeOfArrival: at }),
    customsOfficeOfArrival: { ...(office !== '' && { referenceNumber: office }) },
  };
  // Safe cast: the service judges it.
  return given as TransportArrival;
}

/** The field that is about the member of an error; an error of a whole transport is about its MRN or its means. */
export function fieldOf(values: ArrivalValues, member: string): ArrivalField {
  const shown = shownFields(values);
  const exact = shown.find((field) => paths[field] === member);
  if (exact !== undefined) return exact;
  const inside = shown.find((field) => member !== '' && paths[field].startsWith(`${member}.`));
  return inside ?? (shown.includes('means') ? 'means' : 'mrn');
}
