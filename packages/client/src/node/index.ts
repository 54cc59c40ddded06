// The public interface of @landfall/client/node: what reads and writes files.
export { FileJournal, type FileJournalOptions } from './file-journal.js';
export { type FileLock, lockFile } from './file-lock.js';
export { FileMarkerStore, type FileMarkerStoreOptions } from './file-marker-store.js';
export { FileTokenStore } from './file-token-store.js';
export { type CredentialsFile, readCredentials } from './read-credentials.js';
