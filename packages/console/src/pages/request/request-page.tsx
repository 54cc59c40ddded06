// The page of one presentation request: its outcome, and every rule that it breaks.
import { Paragraph, Tag } from '@digdir/designsystemet-react';
import { ApiError, type ValidationStatus } from '@landfall/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { CodeBlock } from '../../code/code-block.js';
import { messages as feedMessages } from '../../feeds/messages.js';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { FactList } from '../../layout/fact-list.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { Part } from '../../layout/part.js';
import { usePollInterval } from '../../session/presence.js';
import { useLandfall, useSession, useSessionState } from '../../session/session-context.js';
import { Loaded } from '../../states/loaded.js';
import { Empty } from '../../states/states.js';
import { useRuleText } from '../../states/validation-texts.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages } from './messages.js';
import styles from './request.module.css';

/** How often a request that is not known yet is read again, in milliseconds. */
const POLL_INTERVAL_MS = 3_000;

export function RequestPage() {
  const { requestId = '' } = useParams<{ requestId: string }>();
  const text = useMessages(messages);
  const { request: title } = useMessages(pageNames);
  const landfall = useLandfall();
  const interval = usePollInterval(POLL_INTERVAL_MS);
  const read = useQuery({
    queryKey: ['request', requestId],
    queryFn: async ({ signal }): Promise<ValidationStatus | null> => {
      try {
        const found = await landfall.getValidationStatus(requestId, {}, { signal });
        return [found].flat()[0] ?? null;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    // A status that is known does not change.
    refetchInterval: ({ state: { data } }) => (data === null ? interval : false),
  });
  return (
    <Page title={title} identifier={requestId}>
      <Link className="ds-link" href="/statuses">
        {text.back}
      </Link>
      <Loaded query={read}>
        {(status) =>
          status === null ? (
            <Empty title={text.none}>
              <Paragraph>{text.noneText}</Paragraph>
            </Empty>
          ) : (
            <Request status={status} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Request({ status }: { status: ValidationStatus }) {
  const text = useMessages(messages);
  const names = useMessages(feedMessages);
  const textOf = useRuleText();
  const { name } = useSession();
  const { configuration } = useSessionState();
  const { mrn, validationErrorList: rules = [] } = status;
  const facts = [
    [text.received, <OfficeTime key="at" at={status.notificationDate} />],
    [text.level, names[status.level]],
    [text.office, status.customsOfficeOfPresentation],
    [
      text.mrn,
      mrn === undefined ? (
        text.notReached
      ) : (
        <Link className="ds-link" href={`/declarations/${mrn}`}>
          <Identifier>{mrn}</Identifier>
        </Link>
      ),
    ],
    [text.consignments, status.houseConsignments],
  ] as const;
  const address = `/api/movement/presentation/v1/validation-status/${status.requestId}`;
  return (
    <>
      <Paragraph>
        <Tag data-color={status.status === 'FAILURE' ? 'danger' : 'success'}>
          {names[status.status]}
        </Tag>
      </Paragraph>
      {rules.length > 0 && (
        <Part className={styles.part} title={text.rules}>
          <ul className={styles.rules}>
            {rules.map(({ code, description, pointer: { messageElementPath: field } }) => (
              <li key={`${code} ${field}`}>
                <code>{field}</code> {textOf({ code, error: description })} ({code})
              </li>
            ))}
          </ul>
        </Part>
      )}
      <FactList className={styles.facts} facts={facts} />
      <Link
        className="ds-link"
        href={
          mrn === undefined ? '/present' : `/present?level=ENTRY_SUMMARY_DECLARATION&mrn=${mrn}`
        }
      >
        {text.present}
      </Link>
      <Part className={styles.part} title={text.raw}>
        <CodeBlock label="JSON" text={JSON.stringify(status, null, 2)} />
      </Part>
      {configuration.signIn === 'identity' && (
        <Part className={styles.part} title={text.curl}>
          <CodeBlock
            label="curl"
            text={[
              `TOKEN=$(npx landfall token create --as ${name} --raw)`,
              `curl -s -H "Authorization: Bearer $TOKEN" ${location.origin}${address}`,
            ].join('\n')}
          />
        </Part>
      )}
    </>
  );
}
