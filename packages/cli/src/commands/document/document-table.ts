// Documents as a table.
import type { StoredDocument } from '@landfall/client';
import { readableTime } from '../../output/output.js';
import type { Column } from '../../output/table.js';

/** The columns of what an organisation has uploaded. */
export const ownColumns: readonly Column<StoredDocument>[] = [
  { heading: 'file', value: ({ fileName }) => fileName },
  { heading: 'type', value: ({ documentType }) => documentType },
  { heading: 'bytes', value: ({ size }) => String(size) },
  { heading: 'uploaded', value: ({ uploadedAt }) => readableTime(uploadedAt) },
  { heading: 'id', value: ({ documentId }) => documentId },
];

/** The same with the organisation. */
export const documentColumns: readonly Column<StoredDocument>[] = [
  { heading: 'organisation', value: ({ organisation }) => organisation },
  ...ownColumns,
];
