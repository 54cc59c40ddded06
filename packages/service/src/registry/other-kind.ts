// What a declaration is that is no ENS: a message that was lodged (decision 0298).

export type OtherKind = 'TRANSPORT' | 'MASTER' | 'HOUSE';

/** What has an MRN and is no ENS: a message that was lodged, or a relation of two. */
export type MrnOwner = OtherKind | 'RELATION';
