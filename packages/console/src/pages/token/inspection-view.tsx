// What a token is, which rules it keeps, and what its members mean.
import { Heading, Paragraph } from '@digdir/designsystemet-react';
import { useMessages } from '../../language/language-context.js';
import type { Inspection, TokenKind } from '../../playground/tokens.js';
import { Notice } from '../../states/states.js';
import { OfficeTime } from '../../time/office-time.js';
import { MemberList } from './member-list.js';
import { messages } from './messages.js';
import { RuleList } from './rule-list.js';
import styles from './token.module.css';

/** The texts of each kind of token. */
const textsOfKind = {
  grant: { name: 'grant', use: 'grantText', refused: 'grantRefused', kept: 'grantKept' },
  'access-token': {
    name: 'accessToken',
    use: 'accessTokenText',
    refused: 'accessTokenRefused',
    kept: 'accessTokenKept',
  },
  'customs-token': {
    name: 'customsToken',
    use: 'customsTokenText',
    refused: 'customsTokenRefused',
    kept: 'customsTokenKept',
  },
} as const satisfies Record<TokenKind, object>;

/** `note` says where the token is from, if it was not pasted. */
export function InspectionView({ inspection, note }: { inspection: Inspection; note?: string }) {
  const text = useMessages(messages);
  const { kind, comparedAt, header, claims, findings } = inspection;
  const { name, use } = textsOfKind[kind];
  return (
    <>
      <section className={styles.column} aria-labelledby="kind">
        <Heading level={2} data-size="sm" id="kind">
          {text[name]}
        </Heading>
        <Paragraph>
          {text[use]} {note}
        </Paragraph>
        <Conclusion inspection={inspection} />
        <Paragraph data-size="sm">
          {text.comparedAt} <OfficeTime at={comparedAt} />.
        </Paragraph>
      </section>
      <div className={styles.columns}>
        <RuleList kind={kind} findings={findings} />
        <div className={styles.column}>
          <MemberList title={text.claims} members={claims} comparedAt={comparedAt} />
          <MemberList title={text.header} members={header} comparedAt={comparedAt} />
        </div>
      </div>
    </>
  );
}

/** Whether the token is accepted, or the code of its refusal: that of the first rule which it breaks. */
function Conclusion({ inspection: { kind, findings } }: { inspection: Inspection }) {
  const text = useMessages(messages);
  const { refused, kept } = textsOfKind[kind];
  const broken = findings.filter(({ holds }) => holds === false);
  const [first] = broken;
  if (first !== undefined) {
    return (
      <Notice
        color="danger"
        title={text.broken(broken.length)}
        text={text[refused](first.code ?? '')}
      />
    );
  }
  const isEveryKept = findings.every(({ holds }) => holds);
  return (
    <Notice
      color="success"
      title={isEveryKept ? text.allKept : text.noneBroken}
      text={text[kept]}
    />
  );
}
