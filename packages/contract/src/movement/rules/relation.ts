// The rules of relations: which messages may hang on which, and what keeps a relation from being cancelled.
import { type RelatedType, relatedTypes } from '../schema/relation.js';
import { addFound, type Cancelled, type Rule, relationRule } from './rule.js';

/** Each type with those that may hang on it. */
export const relatesTo: Readonly<Record<RelatedType, readonly RelatedType[]>> = {
  TRANSPORT: ['MASTER_CONSIGNMENT', 'HOUSE_CONSIGNMENT'],
  MASTER_CONSIGNMENT: ['HOUSE_CONSIGNMENT'],
  HOUSE_CONSIGNMENT: [],
};

const notCurrent = {
  text: 'must be the MRN of a current message of the type {type} and of this mode',
  code: 'REFERENCE_NOT_FOUND',
} as const;

type StatusRule = Extract<Rule, { phase: 'at once' | 'status' }>;

/** A rule of cancelling: it finds nothing in what is lodged. */
const cancelRule = (
  own: Pick<StatusRule, 'id' | 'text' | 'code'>,
  isBroken: (cancels: Cancelled) => boolean,
): StatusRule => ({
  ...own,
  phase: 'status',
  levels: ['relation'],
  path: 'MRN, when it is cancelled',
  find: ({ cancels }) => addFound([], cancels !== undefined && isBroken(cancels), 'MRN'),
});

/** The rules of cancelling relations. */
export const relationCancelRules: readonly StatusRule[] = [
  cancelRule(
    {
      id: 'relation.ended',
      text: 'must be a relation of two current messages: one of them has ended',
      code: 'NOT_CURRENT',
    },
    ({ isCurrent }) => !isCurrent,
  ),
  cancelRule(
    {
      id: 'relation.presented',
      text: 'must not be cancelled: goods were presented because of it',
      code: 'PRESENTED',
    },
    ({ isCurrent, isPresented }) => isCurrent && isPresented,
  ),
];

/** The rules of relations. */
export const relationRules: readonly Rule[] = [
  relationRule({
    id: 'relation.types',
    path: 'childObjectType',
    text: `must be what can hang on parentObjectType: ${relatedTypes
      .filter((type) => relatesTo[type].length > 0)
      .map((type) => `${relatesTo[type].join(' or ')} on ${type}`)
      .join(', ')}`,
    code: 'INCOMPATIBLE',
    isBroken: ({ parentObjectType, childObjectType }) =>
      !relatesTo[parentObjectType].includes(childObjectType),
  }),
  relationRule({
    ...notCurrent,
    id: 'relation.parent',
    path: 'parentObjectReference',
    isBroken: ({ parentObjectReference, parentObjectType: type }, { registers }) =>
      !registers.isCurrent(parentObjectReference, type) && { type },
  }),
  relationRule({
    ...notCurrent,
    id: 'relation.child',
    path: 'childObjectReference',
    isBroken: ({ childObjectReference, childObjectType: type }, { registers }) =>
      !registers.isCurrent(childObjectReference, type) && { type },
  }),
  ...relationCancelRules,
];
