// The page of one presentation request, by its requestId: for links, and for one that the log does not list any more.
import { Paragraph } from '@digdir/designsystemet-react';
import { ApiError, type ValidationStatus } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { listRequests, playground } from '../../playground/control.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall, useSession, useSessionState } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty } from '../../states/states.js';
import { messages } from '../requests/messages.js';
import { RequestDetails } from '../requests/request-details.js';
import { type LogRow, makeLog } from '../requests/request-log.js';

/** How often a request that is not known yet is read again, in milliseconds. */
const POLL_INTERVAL_MS = 3_000;

export function RequestPage() {
  const { requestId = '' } = useParams<{ requestId: string }>();
  const text = useMessages(messages);
  const { request: title } = useMessages(pageNames);
  const landfall = useLandfall();
  const { organisation } = useSession();
  const isPlayground = useSessionState().configuration.signIn === 'identity';
  const interval = usePollInterval(POLL_INTERVAL_MS);
  const read = useQuery({
    queryKey: ['request', requestId],
    queryFn: async ({ signal }): Promise<LogRow | null> => {
      const [found, recorded] = await Promise.all([
        orNone(landfall.getValidationStatus(requestId, {}, { signal })),
        isPlayground ? playground.call(listRequests, {}) : { requests: [] },
      ]);
      const statuses: ValidationStatus[] = [found ?? []].flat();
      return (
        makeLog(statuses, recorded.requests, organisation).find(({ status }) => status) ?? null
      );
    },
    // A status that is known does not change.
    refetchInterval: ({ state: { data } }) => (data === null ? interval : false),
  });
  return (
    <Page title={title} identifier={requestId}>
      <Link className="ds-link" href="/requests">
        {text.back}
      </Link>
      <Loaded query={read}>
        {(row) =>
          row === null ? (
            <Empty title={text.none}>
              <Paragraph>{text.noneText}</Paragraph>
            </Empty>
          ) : (
            <RequestDetails row={row} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** What does not exist is none, not an error. */
async function orNone<Data>(reading: Promise<Data>): Promise<Data | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
