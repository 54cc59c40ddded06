// Downloads the results of a run as CSV.
import { Button } from '@digdir/designsystemet-react';
import type { RoutingRun, RoutingRunStatus } from '@landfall/client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { saveCsv } from '../../download/save-file.js';
import { useMessages } from '../../language/language-context.js';
import { useLandfall } from '../../session/session-context.js';
import { Failed } from '../../states/states.js';
import { messages } from './messages.js';
import { readCsv } from './read-csv.js';
import styles from './runs.module.css';

export function DownloadResults({
  run: { id },
  status,
}: {
  run: RoutingRun;
  status: RoutingRunStatus | undefined;
}) {
  const text = useMessages(messages);
  const landfall = useLandfall();
  const [read, setRead] = useState(0);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const downloading = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      setRead(0);
      stop.current = new AbortController();
      const csv = await readCsv(landfall, id, status, setRead, stop.current.signal);
      saveCsv(csv, `run-${id}${status === undefined ? '' : `-${status.toLowerCase()}`}.csv`);
    },
  });
  const wasStopped = stop.current?.signal.aborted === true;
  return (
    <div className={styles.row}>
      <Button
        variant="secondary"
        data-size="sm"
        disabled={downloading.isPending}
        onClick={() => downloading.mutate()}
      >
        {text.download}
      </Button>
      {downloading.isPending && (
        <>
          <span>{text.downloading(read)}</span>
          <Button variant="tertiary" data-size="sm" onClick={() => stop.current?.abort()}>
            {text.stop}
          </Button>
        </>
      )}
      {downloading.isError && !wasStopped && <Failed error={downloading.error} />}
    </div>
  );
}
