// The public face of @landfall/contract.
export * from './access.js';
export * from './code-lists/customs-offices.js';
export * from './code-lists/import.js';
export * from './code-lists/transport-document-types.js';
export * from './errors.js';
export * from './identifiers.js';
export * from './openapi/document.js';
export * from './operations.js';
export * from './organisation.js';
export * from './paging.js';
export * from './playground.js';
export * from './presentation.js';
export * from './routing.js';
export * from './scopes.js';
export * from './transport-document.js';
export * from './validation.js';
export * from './validation-status.js';
