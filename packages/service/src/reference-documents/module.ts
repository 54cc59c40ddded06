// What reference documents add to a service: the routes, and looking up what movement messages cite.
import type { ServiceContext } from '../service-context.js';
import { type FindRegisters, makeFindRegisters } from './find-registers.js';
import type { ReferenceDocuments } from './post-reference-documents.js';
import { addReferenceDocumentRoutes } from './routes.js';

/** Adds them, and returns how the documents that movement messages cite are looked up. */
export function addReferenceDocuments(
  { config, database, audit, http }: ServiceContext,
  waiting: Pick<ReferenceDocuments, 'lockWaiting' | 'notePresented'>,
): FindRegisters {
  addReferenceDocumentRoutes(http, { database, audit, ...waiting });
  return makeFindRegisters(database, config.referenceDocuments);
}
