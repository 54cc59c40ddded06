// What a certificate says.
import { useQuery } from '@tanstack/react-query';
import { useMessages } from '../../language/language-context.js';
import { Notice } from '../../states/states.js';
import { useFormatTime } from '../../time/office-time.js';
import { validityAt } from './describe-credential.js';
import { messages } from './messages.js';
import { readCertificate } from './read-certificate.js';
import { ValidityTag } from './validity-tag.js';

export function CertificateDetails({ certificate }: { certificate: string }) {
  const text = useMessages(messages);
  const format = useFormatTime();
  const {
    data: described,
    isPending,
    isError,
    refetch,
  } = useQuery({
    queryKey: ['certificate', certificate],
    queryFn: () => readCertificate(certificate),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) return <span>{text.readingCertificate}</span>;
  if (isError) {
    return (
      <Notice
        color="danger"
        title={text.failedToRead}
        text={text.failedToReadText}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!described) return <span>{text.unreadable}</span>;
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
