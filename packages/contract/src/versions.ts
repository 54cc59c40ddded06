// The versions of a server and its database.
import { type Static, Type } from 'typebox';

const DatabaseVersion = Type.Object(
  {
    kind: Type.Enum(['postgresql', 'embedded'], {
      description: '`embedded`: for the playground and tests; it does not survive a power cut',
    }),
    version: Type.String({ description: 'The version of PostgreSQL, such as `17.5`' }),
  },
  { $id: 'DatabaseVersion', description: 'The database of a server' },
);

/** The versions of a server and its database. */
export const Versions = Type.Object(
  {
    service: Type.String({ description: 'The version of this server, such as `0.1.0`' }),
    database: DatabaseVersion,
  },
  { $id: 'Versions', description: 'The versions of a server and its database' },
);
export type Versions = Static<typeof Versions>;
