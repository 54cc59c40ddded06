// What can be done with the live version, or to make one live: each after a confirmation that says what happens.
import { Button, Card, Heading, Paragraph } from '@digdir/designsystemet-react';
import type { StoredRoutingProfile } from '@landfall/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useSending } from '../../forms/use-sending.js';
import { useMessages } from '../../language/language-context.js';
import { useLandfall } from '../../session/session-context.js';
import { Failed, Notice } from '../../states/states.js';
import { APPLY_STEP, type Applied, applyProfile, NOT_APPLIED } from './apply-profile.js';
import { compareProfiles } from './compare-profiles.js';
import { messages } from './messages.js';
import styles from './profiles.module.css';
import { PROFILES_KEY } from './query-key.js';

/** Changes the live version, and reads the profiles again. */
function useLiveChange(change: () => Promise<unknown>) {
  const queries = useQueryClient();
  return useSending({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: PROFILES_KEY }),
  });
}

export function GoLiveButton({
  version: shown,
  live,
}: {
  version: StoredRoutingProfile;
  live: StoredRoutingProfile | undefined;
}) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const [isConfirming, setConfirming] = useState(false);
  const { name, version } = shown;
  const going = useLiveChange(() => landfall.activateRoutingProfile({ name, version }));
  return (
    <>
      <Button data-size="sm" loading={going.isPending} onClick={() => setConfirming(true)}>
        {text.goLive}
      </Button>
      {going.isError && <Failed error={going.error} />}
      {isConfirming && (
        <ConfirmDialog
          title={text.goLiveTitle(name, version)}
          action={text.goLive}
          onConfirm={() => {
            setConfirming(false);
            going.mutate();
          }}
          onCancel={() => setConfirming(false)}
        >
          <Paragraph>
            {live === undefined ? text.replacesNone : text.replaces(live.name, live.version)}
          </Paragraph>
          {live !== undefined && <Difference before={live} after={shown} />}
          <Paragraph>{text.goLiveText}</Paragraph>
        </ConfirmDialog>
      )}
    </>
  );
}

/** How many rules differ. */
function Difference({
  before,
  after,
}: {
  before: StoredRoutingProfile;
  after: StoredRoutingProfile;
}) {
  const text = useMessages(messages);
  const { isSaltChanged, rules } = compareProfiles(before, after);
  const added = rules.filter((rule) => rule.before === undefined).length;
  const removed = rules.filter((rule) => rule.after === undefined).length;
  const changed = rules.filter(({ isChanged }) => isChanged).length;
  const moved = rules.filter(({ isMoved }) => isMoved).length;
  return (
    <>
      <Paragraph>{text.differs(added, removed, changed, moved)}</Paragraph>
      {isSaltChanged && <Paragraph>{text.saltChanged}</Paragraph>}
    </>
  );
}

export function DeactivateButton({ live: { name, version } }: { live: StoredRoutingProfile }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const [isConfirming, setConfirming] = useState(false);
  const deactivating = useLiveChange(() => landfall.deactivateRoutingProfile());
  return (
    <>
      <Button
        data-size="sm"
        data-color="danger"
        variant="secondary"
        loading={deactivating.isPending}
        onClick={() => setConfirming(true)}
      >
        {text.deactivate}
      </Button>
      {deactivating.isError && <Failed error={deactivating.error} />}
      {isConfirming && (
        <ConfirmDialog
          title={text.deactivateTitle(name, version)}
          action={text.deactivate}
          isDanger
          onConfirm={() => {
            setConfirming(false);
            deactivating.mutate();
          }}
          onCancel={() => setConfirming(false)}
        >
          <Paragraph>{text.deactivateText}</Paragraph>
        </ConfirmDialog>
      )}
    </>
  );
}

export function ApplyButton({ live }: { live: StoredRoutingProfile }) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const [isConfirming, setConfirming] = useState(false);
  const [applied, setApplied] = useState<Applied>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const applying = useSending({
    mutationFn: (from: Applied) => {
      stop.current = new AbortController();
      return applyProfile(
        (marker) => landfall.applyRoutingProfile({ limit: APPLY_STEP, ...(marker && { marker }) }),
        live,
        from,
        setApplied,
        stop.current.signal,
      );
    },
  });
  const start = (from: Applied) => {
    setApplied(from);
    applying.mutate(from);
  };
  return (
    <>
      <Button
        data-size="sm"
        variant="secondary"
        disabled={applying.isPending}
        onClick={() => setConfirming(true)}
      >
        {text.apply}
      </Button>
      {applied !== undefined && (
        <Progress
          applied={applied}
          isRunning={applying.isPending}
          error={applying.error}
          onStop={() => stop.current?.abort()}
          onResume={() => start(applied)}
          onClose={() => setApplied(undefined)}
        />
      )}
      {isConfirming && (
        <ConfirmDialog
          title={text.applyTitle(live.name, live.version)}
          action={text.apply}
          isDanger
          onConfirm={() => {
            setConfirming(false);
            start(NOT_APPLIED);
          }}
          onCancel={() => setConfirming(false)}
        >
          <Paragraph>{text.applyText}</Paragraph>
        </ConfirmDialog>
      )}
    </>
  );
}

function Progress({
  applied,
  isRunning,
  error,
  onStop,
  onResume,
  onClose,
}: {
  applied: Applied;
  isRunning: boolean;
  error: unknown;
  onStop: () => void;
  onResume: () => void;
  onClose: () => void;
}) {
  const text = useMessages(messages);
  const { examined, decided, signals, isDone, hasChanged } = applied;
  const isOver = isDone || hasChanged;
  return (
    <Card className={styles.progress}>
      <div role="status">
        <Heading level={3} data-size="xs">
          {isRunning ? text.applying : isOver ? text.applied : text.applyStopped}
        </Heading>
        <Paragraph>{text.appliedText(examined, decided, signals)}</Paragraph>
      </div>
      {hasChanged && <Notice color="warning" title={text.applyStopped} text={text.liveChanged} />}
      {error !== null && !isRunning && <Failed error={error} />}
      <div className={styles.row}>
        {isRunning && (
          <Button data-size="sm" variant="secondary" onClick={onStop}>
            {text.stop}
          </Button>
        )}
        {!isRunning && !isOver && (
          <Button data-size="sm" onClick={onResume}>
            {text.resume}
          </Button>
        )}
        {!isRunning && (
          <Button data-size="sm" variant="secondary" onClick={onClose}>
            {text.close}
          </Button>
        )}
      </div>
    </Card>
  );
}
