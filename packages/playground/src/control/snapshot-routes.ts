// The control addresses of snapshots, and of resets.
import { SnapshotName } from '@landfall/contract';
import { HttpError } from '@landfall/service/assembly';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { PlaygroundParts } from '../playground.js';
import { SnapshotError } from '../snapshots.js';
import { addControlOperation } from './control-operation.js';

const ResetQuery = Type.Object({ snapshot: Type.Optional(SnapshotName) });
type ResetQuery = Static<typeof ResetQuery>;

const NewSnapshot = Type.Object({ name: SnapshotName }, { additionalProperties: false });
type NewSnapshot = Static<typeof NewSnapshot>;

/** What takes snapshots and returns to them. */
type SnapshotParts = Pick<PlaygroundParts, 'reset' | 'snapshot' | 'snapshots' | 'deleteSnapshot'>;

/** Adds the addresses. */
export function addSnapshotRoutes(app: FastifyInstance, playground: SnapshotParts): void {
  addControlOperation<undefined, ResetQuery>(
    app,
    { method: 'POST', path: '/reset', query: ResetQuery },
    async ({ query }, reply) => {
      await playground.reset(query.snapshot).catch(refuse);
      return reply.code(204).send();
    },
  );

  addControlOperation(app, { method: 'GET', path: '/snapshots' }, () => ({
    snapshots: playground.snapshots(),
  }));

  addControlOperation<NewSnapshot>(
    app,
    { method: 'POST', path: '/snapshots', body: NewSnapshot },
    async ({ body }, reply) => {
      const taken = await playground.snapshot(body.name).catch(refuse);
      return reply.code(201).send(taken);
    },
  );

  addControlOperation(
    app,
    { method: 'DELETE', path: '/snapshots/:name' },
    async ({ params: { name = '' } }, reply) => {
      if (!playground.deleteSnapshot(name)) {
        throw new HttpError(404, 'There is no snapshot of this name');
      }
      return reply.code(204).send();
    },
  );
}

function refuse(error: unknown): never {
  if (!(error instanceof SnapshotError)) throw error;
  throw new HttpError(error.code === 'UNKNOWN_SNAPSHOT' ? 404 : 412, error.message);
}
