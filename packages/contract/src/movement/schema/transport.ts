// What a carrier lodges about a means of transport: the body of a transport.
import { type Static, Type } from 'typebox';
import {
  Address,
  Communication,
  common,
  DigitCode,
  Document,
  Line,
  Lines,
  MAX_REFERENCES,
  UtcInstant,
} from './parts.js';

const Operator = Type.Object(
  { name: Lines(70, 'Two names'), communication: Communication({ minItems: 1 }) },
  { $id: 'MovementOperator', description: 'Who drives, or answers for the means of transport' },
);

const ActiveBorderTransportMeans = Type.Object(
  {
    identificationNumber: Line(35),
    typeOfIdentification: DigitCode('CL750'),
    modeOfTransportCode: DigitCode('CL018'),
    typeOfMeansOfTransport: DigitCode('CL751', 4),
    conveyanceReferenceNumber: Type.Optional(Line(17, 'By air, the number of the flight')),
    countryCode: Type.String({
      minLength: 1,
      maxLength: 2,
      form: 'line',
      country: true,
      description: 'Where it is registered',
    }),
    operator: Operator,
  },
  { $id: 'MovementTransportMeans', description: 'The means of transport at the border' },
);

const HouseDocuments = Type.Array(
  Type.Object(
    { transportDocumentHouseLevel: Type.Optional(Document) },
    { $id: 'MovementTransportHouse', description: 'A direct consignment on the transport' },
  ),
  { maxItems: MAX_REFERENCES },
);

const MasterDocuments = Type.Array(
  Type.Object(
    {
      transportDocumentMasterLevel: Type.Optional(Document),
      consignmentHouseLevel: Type.Optional(HouseDocuments),
    },
    { $id: 'MovementTransportMaster', description: 'A master consignment on the transport' },
  ),
  { maxItems: MAX_REFERENCES },
);

/** The body of a transport. */
export const TransportMessage = Type.Object(
  {
    ...common,
    activeBorderTransportMeans: ActiveBorderTransportMeans,
    carrier: Type.Object(
      {
        name: Lines(70),
        identificationNumber: Line(17),
        address: Address,
        communication: Type.Optional(Communication()),
      },
      { $id: 'MovementCarrier', description: 'The carrier' },
    ),
    customsOfficeOfFirstEntry: Type.Object(
      { referenceNumber: Line(8, 'CL141') },
      { $id: 'MovementCustomsOffice', description: 'A customs office' },
    ),
    estimatedDateAndTimeOfArrival: UtcInstant('Kept up to date: the transport is found by it'),
    scheduledDateAndTimeOfArrival: UtcInstant(),
    consignmentMasterLevel: Type.Optional(MasterDocuments),
    consignmentHouseLevel: Type.Optional(HouseDocuments),
  },
  { $id: 'TransportMessage', description: 'A means of transport, and what is on it' },
);
export type TransportMessage = Static<typeof TransportMessage>;
