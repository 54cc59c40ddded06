// Shows the result of a query, or the state that it is in.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed, Loading } from './states.js';

/** Shows the data; while there is none, that it is being read or why it cannot be. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}) {
  // Data that was read before is better than none. That the connection is lost is shown at the top of the page.
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading />;
}
