// Routing decisions: what the authority decides of a house consignment, and what became of it. Wire contract, section 7.
import { type Static, Type } from 'typebox';
import { ValidationError } from './errors.js';
import { Mrn } from './identifiers.js';
import { Routing, RoutingControlLocation } from './routing.js';
import { ONE_LINE_PATTERN, TransportDocument } from './transport-document.js';

/** The decisions of one JSON array; NDJSON may be of any length. */
export const DECISIONS_OF_AN_ARRAY = 2000;

/** One decision. It takes the place of the one that stood before. */
export const RoutingDecision = Type.Object(
  {
    mrn: Type.Optional(Mrn),
    transportDocumentHouseLevel: TransportDocument,
    routing: Routing,
    routingControlLocation: Type.Optional(RoutingControlLocation),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: ONE_LINE_PATTERN,
        description: 'Why, for the history; nobody but the authority reads it',
      }),
    ),
  },
  {
    $id: 'RoutingDecision',
    description:
      'What is decided of one house consignment. `mrn` is needed where its document stands under more than one ENS; `routingControlLocation` goes only with `TO_CONTROL`',
    examples: [
      {
        mrn: '23NO00000000000003',
        transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
        routing: 'TO_CONTROL',
        routingControlLocation: 'ON_ENTRY',
        reason: 'the weight does not fit the description',
      },
    ],
  },
);
export type RoutingDecision = Static<typeof RoutingDecision>;

/** What became of one decision. */
export const RoutingDecisionResult = Type.Object(
  {
    line: Type.Integer({
      minimum: 1,
      description: 'Which decision of the request: its line, or its place in the array, from 1',
    }),
    status: Type.Enum(['DECIDED', 'UNCHANGED', 'REFUSED'], {
      description:
        '`DECIDED`: it stands now; `UNCHANGED`: the same stood already, and nothing was written; `REFUSED`: nothing was done, see validationErrors',
    }),
    houseConsignmentId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The id of the house consignment' }),
    ),
    signals: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'To how many organisations a signal was issued; 0 while the consignment is not presented',
      }),
    ),
    validationErrors: Type.Optional(
      Type.Array(ValidationError, { description: "Fields are paths from the decision's root" }),
    ),
  },
  { $id: 'RoutingDecisionResult', description: 'What became of one decision' },
);
export type RoutingDecisionResult = Static<typeof RoutingDecisionResult>;
