// Shows that a feed is live, or what is missing.
import { Tag } from '@digdir/designsystemet-react';
import { useMessages } from '../language/language-context.js';
import { useLink } from '../session/link.js';
import { Failed, Incomplete, TooMany } from '../states/states.js';
import { useFormatTime } from '../time/office-time.js';
import type { FeedView } from './followed-feed.js';
import { messages } from './messages.js';

/** Whether the feed is live. */
export function LiveTag({ view: { state } }: { view: FeedView<unknown> }) {
  const text = useMessages(messages);
  const format = useFormatTime();
  const { lostSince } = useLink();
  if (lostSince !== undefined) {
    return <Tag data-color="warning">{text.lostSince(format(lostSince))}</Tag>;
  }
  if (state === 'live') return <Tag data-color="success">{text.live}</Tag>;
  if (state === 'reading') return <Tag data-color="info">{text.reading}</Tag>;
  return <Tag data-color="warning">{text.notLive}</Tag>;
}

/** A notice if the entries are not all that there are; `older` says where older ones are. */
export function FeedNotice({
  view,
  older,
  onRetry,
}: {
  view: FeedView<unknown>;
  older?: string;
  onRetry: () => void;
}) {
  const { entries, total, state, error } = view;
  if (state === 'failed') return <Failed error={error} onRetry={onRetry} />;
  if (state === 'reading' && entries.length > 0) return <Incomplete />;
  if (total <= entries.length) return null;
  return <TooMany shown={entries.length} total={total} {...(older && { hint: older })} />;
}
