// What couples two messages by their MRNs: the body of a relation.
import { type Static, Type } from 'typebox';
import { Formed, Lines, Representative, UtcInstant } from './parts.js';

/** The types of messages that a relation couples, in the order of the levels. */
export const relatedTypes = ['TRANSPORT', 'MASTER_CONSIGNMENT', 'HOUSE_CONSIGNMENT'] as const;

/** The type of a message that a relation couples. */
export type RelatedType = (typeof relatedTypes)[number];

const RelatedTypeOf = (description: string) =>
  Type.Enum([...relatedTypes], { type: 'string', description });

/** The body of a relation. */
export const RelationMessage = Type.Object(
  {
    documentIssueDate: Type.Optional(UtcInstant()),
    representative: Type.Optional(
      Type.Union([Lines(70, 'Who acts for the one who relates'), Representative]),
    ),
    parentObjectType: RelatedTypeOf('The type of the message on which the other one hangs'),
    parentObjectReference: Formed('mrn', 'Its MRN'),
    childObjectType: RelatedTypeOf('The type of the message that hangs on it'),
    childObjectReference: Formed('mrn', 'Its MRN'),
  },
  {
    $id: 'RelationMessage',
    description: 'Two messages of one mode, of which one hangs on the other',
  },
);
export type RelationMessage = Static<typeof RelationMessage>;
