// The memory of the documents that a server receives, scans and stores.
import { UploadBudget } from '../goods-items/upload-budget.js';

export { UploadsFullError } from '../goods-items/upload-budget.js';

/** What a body takes in memory, by what has arrived of it: its parts are joined, and the database driver copies the file. */
export const MEMORY_OF_A_BYTE = 2;

/** The limits are those of goods-item messages: one organisation can always upload the longest file. */
export function makeDocumentMemory(): UploadBudget {
  return new UploadBudget();
}
