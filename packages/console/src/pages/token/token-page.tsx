// The token inspector of a playground: a token is pasted, each claim is explained, and each rule is checked.
import { Button, Paragraph, Textfield } from '@digdir/designsystemet-react';
import { ApiError } from '@landfall/client';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { CodeBlock } from '../../code/code-block.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';
import { callerOptions } from '../../playground/command-line.js';
import { inspectToken, playground } from '../../playground/control.js';
import { useSession, useSessionState } from '../../session/session-context.js';
import { Empty, Failed, Loading } from '../../states/states.js';
import { InspectionView } from './inspection-view.js';
import { messages } from './messages.js';
import styles from './token.module.css';

export function TokenPage() {
  const text = useMessages(messages);
  const { token: title } = useMessages(pageNames);
  const { name: identity } = useSession();
  const { dataFolder } = useSessionState().configuration;
  // Not a draft, and not in the address: tokens are secrets.
  const [token, setToken] = useState('');
  const [isMissing, setMissing] = useState(false);
  const inspection = useMutation({
    networkMode: 'always',
    gcTime: 0,
    mutationFn: (body: { token: string } | { identity: string }) =>
      playground.call(inspectToken, { body }),
  });
  const change = (pasted: string) => {
    setToken(pasted);
    setMissing(false);
    inspection.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(token.trim() === '');
    if (token.trim() !== '') inspection.mutate({ token });
  };
  const isOwn = inspection.variables !== undefined && 'identity' in inspection.variables;
  const isRefused = inspection.isError && whyRefused(inspection.error) !== undefined;
  return (
    <Page title={title} lead={text.lead} wide>
      <form className={styles.column} onSubmit={submit} noValidate>
        <Textfield
          multiline
          rows={5}
          className={styles.token}
          label={text.token}
          description={text.tokenHelp}
          value={token}
          error={
            isMissing ? text.missing : isRefused && !isOwn && <Refusal error={inspection.error} />
          }
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => change(event.target.value)}
        />
        <div className={styles.buttons}>
          <Button type="submit" loading={inspection.isPending && !isOwn}>
            {text.inspect}
          </Button>
          <Button
            variant="secondary"
            loading={inspection.isPending && isOwn}
            onClick={() => {
              setMissing(false);
              inspection.mutate({ identity });
            }}
          >
            {text.own(identity)}
          </Button>
          {(token !== '' || inspection.isSuccess) && (
            <Button variant="tertiary" onClick={() => change('')}>
              {text.clear}
            </Button>
          )}
        </div>
      </form>
      {inspection.isPending && <Loading />}
      {inspection.isIdle && (
        <Empty title={text.empty}>
          <Paragraph>{text.emptyText}</Paragraph>
          <CodeBlock
            label={text.emptyText}
            text={`npx landfall token create ${callerOptions({ identity, dataFolder })} --raw`}
          />
        </Empty>
      )}
      {inspection.isError && !(isRefused && !isOwn) && (
        <Failed error={inspection.error} onRetry={() => inspection.mutate(inspection.variables)} />
      )}
      {inspection.isSuccess && (
        <InspectionView
          inspection={inspection.data}
          {...(isOwn && { note: text.ownText(identity) })}
        />
      )}
    </Page>
  );
}

/** What is wrong with the text itself, which the playground says in English; `undefined` for other errors. */
function whyRefused(error: Error): { field: string; reason: string } | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const [rule] = error.validationErrors;
  if (error.status === 413 || rule?.code === 'SIZE') return { field: 'size', reason: '' };
  return rule && { field: rule.field, reason: rule.error };
}

/** Which part of the text is wrong, and why. */
function Refusal({ error }: { error: Error }) {
  const text = useMessages(messages);
  const { field = '', reason = '' } = whyRefused(error) ?? {};
  if (field === 'size') return text.tooLong;
  const parts: Record<string, string> = {
    'token.header': text.partHeader,
    'token.claims': text.partClaims,
    'token.signature': text.partSignature,
  };
  return (
    <>
      {parts[field] ?? text.partToken} <span lang="en">{reason}</span>
    </>
  );
}
