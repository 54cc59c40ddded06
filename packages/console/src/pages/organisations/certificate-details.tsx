// What a certificate says.
import { useMessages } from '../../language/language-context.js';
import { useFormatTime } from '../../time/office-time.js';
import { describeCertificate } from './describe-certificate.js';
import { validityAt } from './describe-credential.js';
import { messages } from './messages.js';
import { ValidityTag } from './validity-tag.js';

export function CertificateDetails({ certificate }: { certificate: string }) {
  const text = useMessages(messages);
  const format = useFormatTime();
  const described = describeCertificate(certificate);
  if (described === undefined) return <span>{text.unreadable}</span>;
  const { subject, issuer, algorithm, from, to } = described;
  return (
    <>
      <span>{subject}</span>
      <span>{text.issuer(issuer)}</span>
      <span>{text.algorithm(algorithm)}</span>
      <span>{text.validFrom(format(from), format(to))}</span>
      <ValidityTag validity={validityAt(new Date(), described)} />
    </>
  );
}
