// The public interface of @landfall/contract.
export * from './access.js';
export * from './arrival.js';
export * from './asyncapi/document.js';
export * from './code-lists/check-customs-office.js';
export * from './code-lists/code-list.js';
export * from './code-lists/customs-offices.js';
export * from './code-lists/transport-document-types.js';
export * from './code-lists/unlo-codes.js';
export * from './control-results.js';
export * from './dataset/dataset-line.js';
export {
  DatasetMovements,
  datasetKeyTaken,
  type MovementEntry,
  messageFrom,
} from './dataset/dataset-movements.js';
export * from './dataset/json-schema.js';
export * from './dataset/read-dataset.js';
export * from './document.js';
export * from './entry-summary-declaration.js';
export * from './errors.js';
export * from './explanation.js';
export { findOddity } from './find-oddity.js';
export { isRealDateTime } from './formats.js';
export * from './goods-items/choose-splitter.js';
export * from './goods-items/goods-item.js';
export * from './goods-items/json-schema.js';
export * from './goods-items/message.js';
export * from './goods-items/read-message.js';
export * from './goods-items/shown-message.js';
export * from './goods-items/stream.js';
export * from './goods-items/view.js';
export * from './goods-items/view-trial.js';
export * from './harmonized-system.js';
export { HostingOptions } from './hosting-options.js';
export * from './house-consignment.js';
export * from './identification-number.js';
export * from './identifier-key.js';
export * from './identifiers.js';
export * from './inspect-json.js';
export { hasInvisible, INVISIBLE_ERROR, replaceInvisible } from './invisible-characters.js';
export * from './is-object.js';
export { keysOf } from './keys-of.js';
export * from './list-rules.js';
export { anotherSpelling, houseConsignmentKey, messagesWithRules } from './message-rules.js';
export * from './movement/arrival.js';
export * from './movement/authority.js';
export {
  type CheckedMovement,
  checkMovement,
  checkRelationCancellation,
  takenKeyError,
} from './movement/check-message.js';
export {
  type CheckedMovementText,
  checkMovementText,
  refuseMovementText,
  withBrackets,
} from './movement/check-text.js';
export { chooseMovementSplitter } from './movement/choose-splitter.js';
export { listCitedDocuments } from './movement/cited-documents.js';
export { listCitedPlaces } from './movement/cited-places.js';
export * from './movement/codes/built-in-lists.js';
export * from './movement/codes/code-lists.js';
export { countryCodes } from './movement/codes/countries.js';
export * from './movement/codes/procedures.js';
export * from './movement/errors.js';
export { changedCouplings, changedKeyMembers, keyMembers } from './movement/keys.js';
export * from './movement/levels.js';
export * from './movement/messages.js';
export * from './movement/modes.js';
export * from './movement/mrn.js';
export * from './movement/queries.js';
export type { Part as MovementPart } from './movement/read-message.js';
export * from './movement/registers.js';
export { relatesTo } from './movement/rules/relation.js';
export type { Rule as MovementRule } from './movement/rules/rule.js';
export { appliesTo, movementRules } from './movement/rules/rules.js';
export type { HouseConsignmentMessage } from './movement/schema/house-consignment.js';
export type { MasterConsignmentMessage } from './movement/schema/master-consignment.js';
export {
  type RelatedType,
  type RelationMessage,
  relatedTypes,
} from './movement/schema/relation.js';
export type { TransportMessage } from './movement/schema/transport.js';
export * from './movement/to-the-second.js';
export * from './movement/transport-arrival.js';
export * from './openapi/document.js';
export * from './operations/operation.js';
export * from './operations/operations.js';
export { responseSchemas } from './operations/response-schemas.js';
export * from './organisation.js';
export * from './organisation-rules.js';
export * from './paging.js';
export { OneLine } from './patterns.js';
export * from './playground.js';
export * from './presentation.js';
export * from './push/attempt.js';
export * from './push/delivery.js';
export * from './push/subscription.js';
export * from './read-reference-document.js';
export * from './reference-document.js';
export * from './relays.js';
export * from './release.js';
export * from './routing.js';
export * from './routing-decision.js';
export * from './routing-profile.js';
export * from './routing-run.js';
export * from './routing-signal-stream.js';
export * from './scenarios/read-scenario.js';
export * from './scenarios/scenario.js';
export * from './scenarios/scenario-kind.js';
export * from './scopes.js';
export * from './service-problems.js';
export * from './service-status.js';
export * from './split-text/element-splitter.js';
export * from './split-text/line-splitter.js';
export * from './split-text/not-json.js';
export * from './split-text/text-splitter.js';
export * from './transport-document.js';
export { findUnknownMembers } from './unknown-members.js';
export * from './validation.js';
export * from './validation-status.js';
export * from './versions.js';
