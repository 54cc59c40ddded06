// The facts of a house consignment, as its declaration has them.

import { type HouseConsignment, mrnOf, type TransportDocument } from '@landfall/client';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Identifier } from '../../identifiers/identifier.js';
import { useMessages } from '../../language/language-context.js';
import { Office } from '../../names/office.js';
import { Organisation } from '../../names/organisation.js';
import { OfficeTime } from '../../time/office-time.js';
import { messages as consignmentMessages } from '../messages.js';
import { messages } from './messages.js';
import styles from './view.module.css';

export function Facts({ consignment }: { consignment: HouseConsignment }) {
  const text = useMessages(messages);
  const kinds = useMessages(consignmentMessages);
  const {
    transportDocumentMasterLevel: master,
    receptacleId,
    containerId = [],
    activeBorderTransportMeans: transport,
    harmonizedSystemSubheadingCode: subheadings = [],
    customsOfficeOfFirstEntry: office,
    estimatedTimeOfArrival: eta,
  } = consignment;
  const facts: [string, ReactNode][] = [
    [
      kinds.houseDocument,
      <DocumentName key="house" document={consignment.transportDocumentHouseLevel} />,
    ],
    [
      kinds.mrn,
      <Link key="mrn" href={`/declarations/${mrnOf(consignment)}`} className="ds-link">
        <Identifier>{mrnOf(consignment)}</Identifier>
      </Link>,
    ],
    [
      text.message,
      consignment.houseConsignmentMRN && (
        <Link href={`/movements/${consignment.houseConsignmentMRN}`} className="ds-link">
          {text.messageBehind}
        </Link>
      ),
    ],
    [
      kinds.masterDocument,
      master && (
        <Found identifier={master.documentNumber}>
          <DocumentName document={master} />
        </Found>
      ),
    ],
    [kinds.receptacle, receptacleId && <Found identifier={receptacleId} />],
    [
      kinds.container,
      containerId.map((identifier, index) => (
        <Fragment key={identifier}>
          {index > 0 && ', '}
          <Found identifier={identifier} />
        </Fragment>
      )),
    ],
    [text.declarant, <Organisation key="declarant" id={consignment.declarant} />],
    [
      text.representative,
      consignment.representative && <Organisation id={consignment.representative} />,
    ],
    [text.firstEntry, office && <Office key="office" code={office} />],
    [text.eta, eta && <OfficeTime at={eta} />],
    [
      text.transport,
      transport && (
        <>
          <Identifier>{transport.identificationNumber}</Identifier> (
          {transport.typeOfIdentification})
        </>
      ),
    ],
    [text.subheadings, subheadings.join(', ')],
    [text.id, <code key="id">{consignment.id}</code>],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => {
        const isMissing = value === undefined || (Array.isArray(value) && value.length === 0);
        if (isMissing || value === '') return null;
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        );
      })}
    </dl>
  );
}

/** An identifier that leads to everything that has it. */
function Found({ identifier, children }: { identifier: string; children?: ReactNode }) {
  return (
    <Link href={`/search?id=${encodeURIComponent(identifier)}`} className="ds-link">
      {children ?? <Identifier>{identifier}</Identifier>}
    </Link>
  );
}

function DocumentName({ document: { documentNumber, type } }: { document: TransportDocument }) {
  return (
    <>
      <Identifier>{documentNumber}</Identifier> {type}
    </>
  );
}
