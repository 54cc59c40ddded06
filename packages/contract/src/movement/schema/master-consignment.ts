// What a carrier or forwarder lodges about a master consignment.
import { type Static, Type } from 'typebox';
import {
  common,
  Decimal,
  DigitCode,
  Document,
  Line,
  MAX_REFERENCES,
  Party,
  Place,
  Representative,
  TransportEquipment,
} from './parts.js';

const Receptacle = Type.Object(
  {
    receptacleIdentificationNumber: Type.Optional(
      Type.Array(Line(35), { maxItems: MAX_REFERENCES, oneOrList: true }),
    ),
  },
  { $id: 'MovementReceptacle', description: 'Receptacles of mail' },
);

const ReceptacleHouse = Type.Object(
  {
    receptacle: Type.Optional(
      Type.Array(Receptacle, { maxItems: MAX_REFERENCES, oneOrList: true }),
    ),
  },
  { $id: 'MovementReceptacleHouse', description: 'What is in the master consignment: mail alone' },
);

const ReleasedConfirmation = Type.Array(
  Type.Object(
    { emailAddress: Type.Optional(Line(512)) },
    { $id: 'MovementReleasedConfirmation', description: 'Stored; no mail is sent' },
  ),
  { maxItems: 3 },
);

/** The body of a master consignment. */
export const MasterConsignmentMessage = Type.Object(
  {
    ...common,
    representative: Type.Optional(
      Type.Object(
        {
          ...Representative.properties,
          releasedConfirmation: Type.Optional(ReleasedConfirmation),
        },
        { $id: 'MovementMasterRepresentative', description: 'Who acts for the one who lodges' },
      ),
    ),
    consignmentMasterLevel: Type.Object(
      {
        containerIndicator: DigitCode('CL708'),
        grossMass: Decimal(10, 6, 'Kilograms'),
        carrier: Type.Object(
          { identificationNumber: Line(17) },
          { $id: 'MovementMasterCarrier', description: 'The carrier' },
        ),
        transportDocumentMasterLevel: Document,
        consignor: Party,
        consignee: Party,
        transportEquipment: Type.Optional(TransportEquipment),
        placeOfLoading: Type.Optional(Place),
        placeOfUnloading: Type.Optional(Place),
        placeOfDelivery: Type.Optional(Place),
        consignmentHouseLevel: Type.Optional(
          Type.Array(ReceptacleHouse, { maxItems: MAX_REFERENCES, oneOrList: true }),
        ),
      },
      { $id: 'MovementMasterLevel', description: 'The master consignment' },
    ),
  },
  { $id: 'MasterConsignmentMessage', description: 'A master consignment' },
);
export type MasterConsignmentMessage = Static<typeof MasterConsignmentMessage>;
