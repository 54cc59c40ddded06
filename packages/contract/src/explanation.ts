// Why an organisation reads no signal of a house consignment, or where the signal is in its feed.
import { type Static, Type } from 'typebox';
import { Mrn } from './identifiers.js';
import { keysOf } from './keys-of.js';
import { TransportDocument } from './transport-document.js';

/** The query: a house consignment as it is presented. */
export const ExplanationQuery = Type.Object({
  documentNumber: TransportDocument.properties.documentNumber,
  type: Type.Optional(TransportDocument.properties.type),
  mrn: Type.Optional({
    ...Mrn,
    description:
      'MRN of the entry summary declaration, or that a lodged house consignment was given; required if this organisation has several with this number',
  }),
});
export type ExplanationQuery = Static<typeof ExplanationQuery>;

/** What can be the reason, what it means, and what to do. */
export const explanations = {
  NOT_PRE_NOTIFIED_OR_NOT_YOURS: {
    explanation:
      'No house consignment with this document is pre-notified or lodged, or none of which this organisation may know: it is no party to it, and has not presented it.',
    action:
      'Compare the number and the type of the document with the transport document, and give the MRN if the number is a common one. Whoever brings the goods presents them; a presentation that was refused says why in its validation status.',
  },
  NOT_PRESENTED: {
    explanation:
      'This organisation is a party to the goods, and they are not presented. Signals are sent for presented goods.',
    action:
      'Wait until whoever brings the goods presents them, or present them. Goods that are lodged are also presented when their transport arrives.',
  },
  NOT_DECIDED: {
    explanation: 'The goods are presented, and customs has not decided on them.',
    action:
      'Wait for the signal: read the feed of routing signals with `Prefer: wait`, or follow it. Do not release the goods.',
  },
  DECIDED_BEFORE_YOU: {
    explanation:
      'The goods were decided before this organisation began to receive their signals, and nothing has changed since. The signal that applied then was added to its feed at once, after what it had read before.',
    action: 'Read the feed of routing signals since `documentIssueDate`.',
  },
  IN_YOUR_FEED: {
    explanation: 'The signal is in the feed of routing signals of this organisation.',
    action:
      'Read the feed since `documentIssueDate`. A reader whose marker is at or after this signal has read it already.',
  },
} as const;

/** The reasons. */
export type ExplanationCode = keyof typeof explanations;

/** Why there is no signal, or where it is. */
export const RoutingExplanation = Type.Object(
  {
    code: Type.Enum(keysOf(explanations), {
      description: 'The reason. Nothing is said of goods of others',
    }),
    explanation: Type.String({ description: 'What the reason means, in English' }),
    action: Type.String({ description: 'What to do, in English' }),
    marker: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The id of the last signal of the goods, which is in the feed',
      }),
    ),
    documentIssueDate: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When that signal was issued: the feed can be read `since` then',
      }),
    ),
  },
  {
    $id: 'RoutingExplanation',
    description:
      'Why this organisation reads no signal of a house consignment, or where it is in its feed. Of a signal that is not kept any longer, marker and time are absent',
  },
);
export type RoutingExplanation = Static<typeof RoutingExplanation>;
