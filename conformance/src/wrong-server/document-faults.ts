// Faults of documents.
import {
  type Behaviour,
  changeJson,
  type Fault,
  jsonOf,
  type ProxiedRequest,
  type ProxiedResponse,
  replace,
  respond,
  respondProblem,
} from './fault.js';

const UPLOADS = /^\/api\/goodsdeclaration\/document\/v2\/declaration-id\/([^/]+)\/document$/;
const FOUND = '/api/authority/v1/documents';

const isUpload = ({ method, url }: ProxiedRequest) =>
  method === 'POST' && UPLOADS.test(url.pathname);

/** A document that nobody has stored. */
function madeUp({ url }: ProxiedRequest): Record<string, unknown> {
  return {
    documentId: crypto.randomUUID(),
    declarationId: '974760673-10082022-1',
    documentType: 'invoice',
    fileName: decodeURIComponent(url.pathname).slice(-10),
    size: 1,
    sha256: '0'.repeat(64),
  };
}

/** Accepts uploads that the service refuses for one reason. */
function accepts(
  holds: (
    error: { field: string; code: string; error: string },
    request: ProxiedRequest,
  ) => boolean,
): () => Behaviour {
  return () => ({
    onResponse: (response, request) => {
      if (!isUpload(request) || response.status !== 400) return;
      const errors: Parameters<typeof holds>[0][] = jsonOf(response)?.validationErrors ?? [];
      if (errors.some((error) => holds(error, request))) {
        replace(response, respond(201, madeUp(request)));
      }
    },
  });
}

/** Changes the responses to uploads with a status. */
function changes(
  status: number,
  change: (response: ProxiedResponse, request: ProxiedRequest) => void,
): () => Behaviour {
  return () => ({
    onResponse: (response, request) => {
      if (isUpload(request) && response.status === status) change(response, request);
    },
  });
}

/** Changes the responses to the authority. */
function changesRead(change: (response: ProxiedResponse) => void): () => Behaviour {
  return () => ({
    onResponse: (response, { url }) => {
      if (url.pathname.startsWith(`${FOUND}/`) && response.status === 200) change(response);
    },
  });
}

export const documentFaults: readonly Fault[] = [
  {
    name: 'reports another size of a document',
    caughtBy: ['DOCU-001'],
    make: changes(201, (response) => changeJson(response, (body) => ({ ...body, size: 7 }))),
  },
  {
    name: 'lists no documents',
    caughtBy: ['DOCU-001'],
    make: () => ({
      onResponse: (response, { method, url }) => {
        if (method === 'GET' && UPLOADS.test(url.pathname)) changeJson(response, () => []);
      },
    }),
  },
  {
    name: 'takes any id of a declaration',
    caughtBy: ['DOCU-002'],
    make: accepts(({ field }) => field === 'declarationId'),
  },
  {
    name: 'takes the parts of a document in any order and number',
    caughtBy: ['DOCU-003'],
    make: accepts(({ field, code }) => field === '' && code === 'FORMAT'),
  },
  {
    name: 'takes any type of a document',
    caughtBy: ['DOCU-004'],
    make: accepts(({ field }) => field === 'metadata.documentType'),
  },
  {
    name: 'knows the English types of documents alone, in small letters',
    caughtBy: ['DOCU-005'],
    make: () => ({
      onRequest: (request) =>
        isUpload(request) && /"documentType":"(?:[A-Z]|frakt|opp)/.test(request.body)
          ? respondProblem(400, [
              { field: 'metadata.documentType', error: 'unknown', code: 'UNKNOWN_CODE' },
            ])
          : undefined,
    }),
  },
  {
    name: 'does not compare the declaration in the metadata with that of the address',
    caughtBy: ['DOCU-006'],
    make: accepts(({ field }) => field === 'metadata.declarationId'),
  },
  {
    name: 'believes the names of files',
    caughtBy: ['DOCU-007'],
    make: accepts(({ field, code }) => field === 'file' && code === 'FORMAT'),
  },
  {
    name: 'takes office files with macros',
    caughtBy: ['DOCU-008'],
    make: accepts((_, { body }) => body.includes('vbaProject.bin')),
  },
  {
    name: 'takes files of any length',
    caughtBy: ['DOCU-009'],
    make: changes(413, (response, request) => replace(response, respond(201, madeUp(request)))),
  },
  {
    name: 'takes empty files',
    caughtBy: ['DOCU-010'],
    make: accepts(({ error }) => error.includes('empty')),
  },
  {
    name: 'takes names of files of any length',
    caughtBy: ['DOCU-011'],
    make: accepts(({ error }) => error.includes('name')),
  },
  {
    name: 'takes files with malware',
    caughtBy: ['DOCU-012'],
    make: accepts(({ code }) => code === 'NOT_VERIFIED'),
  },
  {
    name: 'stores the same file again',
    caughtBy: ['DOCU-013'],
    make: changes(200, (response) => {
      response.status = 201;
      changeJson(response, (body) => ({ ...body, documentId: crypto.randomUUID() }));
    }),
  },
  {
    name: 'takes any number of documents',
    caughtBy: ['DOCU-014'],
    make: accepts(({ error }) => error.includes('documents for this declaration')),
  },
  {
    name: 'sends documents so that a browser shows them',
    caughtBy: ['DOCU-015'],
    make: changesRead((response) => {
      response.headers['content-disposition'] = 'inline';
    }),
  },
  {
    name: 'lets browsers guess what a document is',
    caughtBy: ['DOCU-015'],
    make: changesRead((response) => {
      delete response.headers['x-content-type-options'];
    }),
  },
  {
    name: 'lets everybody find documents',
    caughtBy: ['DOCU-016'],
    make: () => ({
      onResponse: (response, { url }) => {
        if (url.pathname === FOUND && response.status === 403) replace(response, respond(200, []));
      },
    }),
  },
];
