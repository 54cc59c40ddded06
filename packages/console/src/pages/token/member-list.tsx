// The members of a header, or the claims: what each is for, whether it is required, and its value in words.
import { Heading, Tag } from '@digdir/designsystemet-react';
import { useId } from 'react';
import { useLanguage, useMessages } from '../../language/language-context.js';
import type { Party, Presence, TokenCertificate, TokenMember } from '../../playground/tokens.js';
import { OfficeTime } from '../../time/office-time.js';
import { relativeTime } from '../../time/relative-time.js';
import { messages } from './messages.js';
import styles from './token.module.css';
import { norwegianApi, norwegianMeaning } from './token-texts.js';

/** How much of a value is shown, in characters. */
const MAX_SHOWN = 500;

const colours = {
  required: 'info',
  recommended: 'info',
  optional: 'neutral',
  unused: 'neutral',
  forbidden: 'danger',
} as const satisfies Record<Presence, string>;

export function MemberList({
  title,
  members,
  comparedAt,
}: {
  title: string;
  members: readonly TokenMember[];
  comparedAt: string;
}) {
  const id = useId();
  return (
    <section className={styles.column} aria-labelledby={id}>
      <Heading level={2} data-size="xs" id={id}>
        {title}
      </Heading>
      <ul className={styles.list}>
        {members.map((member) => (
          <Member key={member.name} member={member} comparedAt={comparedAt} />
        ))}
      </ul>
    </section>
  );
}

function Member({ member, comparedAt }: { member: TokenMember; comparedAt: string }) {
  const text = useMessages(messages);
  const { language } = useLanguage();
  const { name, presence, meaning, value } = member;
  const translated = language === 'nb' ? norwegianMeaning(meaning) : undefined;
  const isMissing = presence === 'required' && value === undefined;
  return (
    <li data-broken={isMissing || (presence === 'forbidden' && value !== undefined)}>
      <div className={styles.title}>
        <strong>
          <code>{name}</code>
        </strong>
        <Tag data-color={colours[presence]}>{text[presence]}</Tag>
        {value === undefined && (
          <Tag data-color={isMissing ? 'danger' : 'warning'}>{text.absent}</Tag>
        )}
      </div>
      {value !== undefined && <Value member={member} comparedAt={comparedAt} />}
      <span
        className={styles.detail}
        lang={language === 'nb' && translated === undefined ? 'en' : undefined}
      >
        {translated ?? meaning}
      </span>
    </li>
  );
}

/** The value as it is in the token, and in words. */
function Value({ member, comparedAt }: { member: TokenMember; comparedAt: string }) {
  const { value, at, parties, scopes, certificates } = member;
  return (
    <>
      {certificates === undefined && <Exact value={value} />}
      {at !== undefined && <Time at={at} comparedAt={comparedAt} />}
      {parties !== undefined && <Parties parties={parties} />}
      {scopes !== undefined && <Scopes scopes={scopes} />}
      {certificates !== undefined && <Certificates certificates={certificates} />}
    </>
  );
}

function Exact({ value }: { value: unknown }) {
  const text = useMessages(messages);
  const exact = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <code className={styles.value}>
      {exact.slice(0, MAX_SHOWN)}
      {exact.length > MAX_SHOWN && text.cut(exact.length)}
    </code>
  );
}

function Time({ at, comparedAt }: { at: string; comparedAt: string }) {
  const { language } = useLanguage();
  return (
    <span>
      <OfficeTime at={at} /> ({relativeTime(at, comparedAt, language)})
    </span>
  );
}

function Parties({ parties }: { parties: readonly Party[] }) {
  const text = useMessages(messages);
  const names = parties.map((party) => {
    if (party.kind === 'identity') return text.identity(party.name);
    return party.kind === 'service' ? text.service : text.identityProvider;
  });
  return <span>{names.length === 0 ? text.unknownParty : names.join(', ')}</span>;
}

function Scopes({ scopes }: { scopes: NonNullable<TokenMember['scopes']> }) {
  const text = useMessages(messages);
  const { language } = useLanguage();
  return (
    <ul className={styles.lines}>
      {/* A token may repeat a scope. */}
      {[...new Map(scopes.map((one) => [one.scope, one])).values()].map(({ scope, api }) => (
        <li key={scope}>
          <code>{scope}</code>:{' '}
          {api === undefined
            ? text.unknownScope
            : ((language === 'nb' ? norwegianApi(api) : undefined) ?? api)}
        </li>
      ))}
    </ul>
  );
}

function Certificates({ certificates }: { certificates: readonly (TokenCertificate | null)[] }) {
  const text = useMessages(messages);
  return (
    <ol className={styles.lines}>
      {certificates.map((certificate, index) => (
        <li key={index}>
          {certificate === null ? (
            text.unreadableCertificate
          ) : (
            <>
              {text.certificate(certificate.subject, certificate.issuer)}, {text.validFrom}{' '}
              <OfficeTime at={certificate.notBefore} />, {text.validUntil}{' '}
              <OfficeTime at={certificate.notAfter} />
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
