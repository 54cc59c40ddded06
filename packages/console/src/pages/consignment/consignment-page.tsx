// The page of one house consignment.
import { useParams } from 'wouter';
import { ConsignmentView } from '../../consignments/view/consignment-view.js';
import { useConsignment } from '../../consignments/view/use-consignment.js';
import { useMessages } from '../../language/language-context.js';
import { Page } from '../../layout/page.js';
import { pageNames } from '../../layout/page-names.js';

export function ConsignmentPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { consignment: name } = useMessages(pageNames);
  const read = useConsignment(id);
  const document = read.data?.consignment?.transportDocumentHouseLevel;
  return (
    <Page title={name} identifier={document?.documentNumber} wide>
      <ConsignmentView read={read} />
    </Page>
  );
}
