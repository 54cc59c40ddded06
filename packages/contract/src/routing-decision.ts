// Routing decisions on house consignments, and their results.
import { type Static, Type } from 'typebox';
import { ValidationError } from './errors.js';
import { Mrn } from './identifiers.js';
import { OneLine } from './patterns.js';
import { Routing, RoutingControlLocation } from './routing.js';
import { TransportDocument } from './transport-document.js';

/** Maximum number of decisions in a JSON array; NDJSON may be of any length. */
export const DECISIONS_OF_AN_ARRAY = 2000;

/** One decision. It replaces the current decision on the house consignment. */
export const RoutingDecision = Type.Object(
  {
    mrn: Type.Optional(Mrn),
    transportDocumentHouseLevel: TransportDocument,
    routing: Routing,
    routingControlLocation: Type.Optional(RoutingControlLocation),
    reason: Type.Optional(
      OneLine(500, 'The reason, for the history; only the authority can read it'),
    ),
  },
  {
    $id: 'RoutingDecision',
    description:
      'A decision on one house consignment. `mrn` is required if the document is under more than one ENS; `routingControlLocation` requires `TO_CONTROL`',
    examples: [
      {
        mrn: '23NO00000000000003',
        transportDocumentHouseLevel: { documentNumber: 'HC001', type: 'N740' },
        routing: 'TO_CONTROL',
        routingControlLocation: 'ON_ENTRY',
        reason: 'the weight does not match the description',
      },
    ],
  },
);
export type RoutingDecision = Static<typeof RoutingDecision>;

/** The result of one decision. */
export const RoutingDecisionResult = Type.Object(
  {
    line: Type.Integer({
      minimum: 1,
      description:
        'The number of the decision in the request: its line, or its position in the array, from 1',
    }),
    status: Type.Enum(['DECIDED', 'UNCHANGED', 'REFUSED'], {
      description:
        '`DECIDED`: the decision is stored; `UNCHANGED`: it equals the current decision, and nothing was stored; `REFUSED`: nothing was stored, and `validationErrors` has the reasons',
    }),
    houseConsignmentId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The id of the house consignment' }),
    ),
    signals: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'The number of organisations to which a signal was issued; 0 if the consignment is not presented',
      }),
    ),
    validationErrors: Type.Optional(
      Type.Array(ValidationError, { description: "Fields are paths from the decision's root" }),
    ),
  },
  { $id: 'RoutingDecisionResult', description: 'The result of one decision' },
);
export type RoutingDecisionResult = Static<typeof RoutingDecisionResult>;
