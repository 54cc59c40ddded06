// What a declaration is that is no ENS: a message that was lodged (decision 0298).

export type OtherKind = 'TRANSPORT' | 'MASTER' | 'HOUSE';
