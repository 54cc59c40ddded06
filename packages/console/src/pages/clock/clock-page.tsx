// The clock of a playground, and its reset.
import { Button, Card, Heading, Paragraph, Tag } from '@digdir/designsystemet-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useReset } from '../../feeds/use-reset.js';
import { ConfirmDialog } from '../../forms/confirm-dialog.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { type Clock, changeClock, playground, readClock } from '../../playground/control.js';
import { usePollInterval } from '../../session/presence.js';
import { Loaded } from '../../states/loaded.js';
import { Failed, Notice } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import styles from './clock.module.css';
import { messages } from './messages.js';

const POLL_INTERVAL_MS = 1_000;

const QUERY_KEY = ['clock'];

const STEPS = { minute: 60, hour: 3600, day: 86_400 } as const;

export function ClockPage() {
  const text = useMessages(messages);
  const { clock: title } = useMessages(pageNames);
  const clock = useQuery({
    queryKey: QUERY_KEY,
    queryFn: () => playground.call(readClock, {}),
    refetchInterval: usePollInterval(POLL_INTERVAL_MS),
  });
  return (
    <Page title={title} lead={text.lead}>
      <Loaded query={clock}>{(read) => <ClockCard clock={read} />}</Loaded>
      {/* The clock above would move it. */}
      {!clock.isPending && <ResetCard />}
    </Page>
  );
}

function ClockCard({ clock: { time, running } }: { clock: Clock }) {
  const text = useMessages(messages);
  const queries = useQueryClient();
  const change = useMutation({
    networkMode: 'always',
    mutationFn: (body: { time?: string; advance?: number; running?: boolean }) =>
      playground.call(changeClock, { body }),
    onSuccess: (changed) => queries.setQueryData(QUERY_KEY, changed),
  });
  return (
    <Card className={styles.card}>
      <div className={styles.row}>
        <Heading level={2} data-size="xs">
          {text.clock}
        </Heading>
        <Tag data-color={running ? 'success' : 'warning'}>
          {running ? text.running : text.stopped}
        </Tag>
      </div>
      <Paragraph data-size="lg" className={styles.time}>
        <OfficeTime at={time} />
      </Paragraph>
      {change.isError && <Failed error={change.error} />}
      <div className={styles.row}>
        {(['minute', 'hour', 'day'] as const).map((step) => (
          <Button
            key={step}
            variant="secondary"
            data-size="sm"
            onClick={() => change.mutate({ advance: STEPS[step] })}
          >
            {text.advance} {text[step]}
          </Button>
        ))}
      </div>
      <div className={styles.row}>
        <Button
          variant="secondary"
          data-size="sm"
          onClick={() => change.mutate({ running: !running })}
        >
          {running ? text.stop : text.start}
        </Button>
        <Button
          variant="tertiary"
          data-size="sm"
          onClick={() => change.mutate({ time: new Date().toISOString(), running: true })}
        >
          {text.now}
        </Button>
      </div>
    </Card>
  );
}

function ResetCard() {
  const text = useMessages(messages);
  const [isAsked, setAsked] = useState(false);
  const resetting = useReset();
  return (
    <Card className={styles.card}>
      <Heading level={2} data-size="xs">
        {text.reset}
      </Heading>
      <Paragraph>{text.resetText}</Paragraph>
      {resetting.isError && <Failed error={resetting.error} />}
      {resetting.isSuccess && <Notice color="success" title={text.done} text={text.doneText} />}
      <Button
        data-color="danger"
        variant="secondary"
        loading={resetting.isPending}
        onClick={() => setAsked(true)}
      >
        {text.resetButton}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={text.confirm}
          action={text.resetButton}
          isDanger
          onConfirm={() => {
            setAsked(false);
            resetting.mutate();
          }}
          onCancel={() => setAsked(false)}
        >
          <Paragraph>{text.confirmText}</Paragraph>
        </ConfirmDialog>
      )}
    </Card>
  );
}
