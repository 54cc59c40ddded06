// An organisation by its id and, for officers, its name.
import type { Landfall } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { Identifier } from '../identifiers/identifier.js';
import { isOfficer } from '../session/scopes.js';
import { useLandfall, useSession } from '../session/session-context.js';

/** How long names are kept, in milliseconds. */
const STALE_MS = 600_000;

/** Ids in one request, as many as the operation accepts. */
const MAX_IDS = 50;

/** How long a request waits for further ids of the same page, in milliseconds. */
const COLLECT_MS = 10;

/** An id with the name of the organisation, as soon as that is known. */
export function Organisation({ id }: { id: string }) {
  const name = useOrganisationName(id);
  return (
    <>
      <Identifier>{id}</Identifier>
      {name !== undefined && ` ${name}`}
    </>
  );
}

/** The name of an organisation; `undefined` for those who may not read it, and while it is not known. */
function useOrganisationName(id: string): string | undefined {
  const landfall = useLandfall();
  const session = useSession();
  const { data } = useQuery({
    queryKey: ['organisation-name', id],
    queryFn: async () => (await readNames(landfall, id)).get(id) ?? null,
    enabled: isOfficer(session) && !id.includes(','),
    staleTime: STALE_MS,
  });
  return data ?? undefined;
}

/** Names that are about to be requested. */
type Request = {
  landfall: Landfall;
  ids: Set<string>;
  names: Promise<ReadonlyMap<string, string>>;
};

let collecting: Request | undefined;

/** Reads the name of an organisation, together with the others that are wanted at the same time. */
function readNames(landfall: Landfall, id: string): Request['names'] {
  if (collecting?.landfall !== landfall || collecting.ids.size >= MAX_IDS) {
    collecting = startCollecting(landfall);
  }
  collecting.ids.add(id);
  return collecting.names;
}

function startCollecting(landfall: Landfall): Request {
  const ids = new Set<string>();
  const names = new Promise((resolve) => setTimeout(resolve, COLLECT_MS)).then(async () => {
    if (collecting?.ids === ids) collecting = undefined;
    const found = await landfall.listOrganisationNames({ ids: [...ids].join(',') });
    return new Map(found.map((one) => [one.id, one.name]));
  });
  return { landfall, ids, names };
}
