// Each rule of a token: first those that are broken, with what to do, then what was not checked, then what is kept.
import { Heading, Tag } from '@digdir/designsystemet-react';
import { useLanguage, useMessages } from '../../language/language-context.js';
import type { TokenFinding, TokenKind } from '../../playground/tokens.js';
import { messages } from './messages.js';
import styles from './token.module.css';
import { norwegianAdvice, ruleName } from './token-texts.js';

export function RuleList({
  kind,
  findings,
}: {
  kind: TokenKind;
  findings: readonly TokenFinding[];
}) {
  const text = useMessages(messages);
  const listed = [false, null, true].flatMap((state) =>
    findings.filter(({ holds }) => holds === state),
  );
  return (
    <section className={styles.column} aria-labelledby="rules">
      <Heading level={2} data-size="xs" id="rules">
        {text.rules}
      </Heading>
      <ul className={styles.list}>
        {listed.map((finding) => (
          <Rule key={finding.rule} kind={kind} finding={finding} />
        ))}
      </ul>
    </section>
  );
}

function Rule({ kind, finding }: { kind: TokenKind; finding: TokenFinding }) {
  const text = useMessages(messages);
  const { language } = useLanguage();
  const { rule, holds, code, detail, advice } = finding;
  const translated = language === 'nb' ? norwegianAdvice(kind, finding) : undefined;
  return (
    <li data-broken={holds === false}>
      <div className={styles.title}>
        <StateTag holds={holds} />
        <strong>{ruleName(finding, language)}</strong>
        <code>{rule}</code>
        {holds === false && code !== null && <Tag data-color="neutral">{code}</Tag>}
      </div>
      <span className={styles.detail} lang="en">
        {detail}
      </span>
      {advice !== null && (
        <span>
          {text.advice}{' '}
          <span lang={language === 'nb' && translated === undefined ? 'en' : undefined}>
            {translated ?? advice}
          </span>
        </span>
      )}
    </li>
  );
}

function StateTag({ holds }: { holds: boolean | null }) {
  const text = useMessages(messages);
  if (holds === null) return <Tag data-color="warning">{text.ruleOpen}</Tag>;
  return holds ? (
    <Tag data-color="success">{text.ruleKept}</Tag>
  ) : (
    <Tag data-color="danger">{text.ruleBroken}</Tag>
  );
}
