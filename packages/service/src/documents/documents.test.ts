// Documents are uploaded, listed, found and read as the contract says, and nothing else is taken.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Document, Problem, StoredDocument } from '@landfall/contract';
import { verifyAudit } from '../audit/verify-audit.js';
import type { Database } from '../database/database.js';
import { feedKinds } from '../feed-kinds.js';
import { drawnDatabases } from '../testing/databases.js';
import { MULTIPART_TYPE, makeMultipart, makeUpload, type TestPart } from '../testing/multipart.js';
import { TestPlayground } from '../testing/playground-client.js';
import { makeZip } from '../testing/zip.js';
import { lockDocuments } from './queries.js';

const FOUND = '/api/authority/v1/documents';
const pathOf = (declaration: string) =>
  `/api/goodsdeclaration/document/v2/declaration-id/${declaration}/document`;

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const JPG = Buffer.from('ffd8ffe000104a464946', 'hex');
const docx = makeZip(['[Content_Types].xml', 'word/document.xml']);
const xlsx = makeZip(['[Content_Types].xml', 'xl/workbook.xml']);
const metadata: TestPart = { name: 'metadata', content: '{"documentType":"invoice"}' };
const file: TestPart = { name: 'file', fileName: 'a.txt', content: 'text' };

for (const { name, skip, open } of await drawnDatabases(import.meta.url)) {
  describe(`documents on ${name}`, { skip }, () => {
    let database: Database;
    let playground: TestPlayground;
    let last = 0;
    /** A declaration of which nothing is known. */
    const nextDeclaration = () => `974760673-10082022-${++last}`;
    const send = (
      body: Uint8Array<ArrayBuffer>,
      declaration = nextDeclaration(),
      as = 'broker',
      type = MULTIPART_TYPE,
    ) =>
      playground.call(pathOf(declaration), {
        as,
        method: 'POST',
        raw: body,
        headers: { 'content-type': type },
      });
    const upload = (content: string | Uint8Array, fileName?: string, given?: object) =>
      send(makeUpload(content, fileName, given));
    const refusalOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => {
      const [error] = (body as Problem).validationErrors ?? [];
      return [status, error?.field, error?.code];
    };
    const count = async () => {
      const [row] = await database.query<{ documents: number; records: number }>({
        name: '',
        text: `select (select count(*)::integer from document) as documents,
          (select count(*)::integer from audit_record where entry like '%"document.%') as records`,
        values: [],
      });
      return row;
    };
    const records = async (action: string) =>
      (
        await database.query<{ entry: string }>({
          name: '',
          text: 'select entry from audit_record where entry like $1 order by recorded_at',
          values: [`%"action":"document.${action}"%`],
        })
      ).map(({ entry }) => JSON.parse(entry) as { actor: object; details: object });

    before(async () => {
      database = await open();
      playground = await TestPlayground.start(database, { rateLimit: 0 });
      await playground.playground.putIdentity({
        name: 'other-broker',
        kind: 'domestic',
        organisation: '0192:310000086',
        organisationName: 'Other',
        scopes: ['goodsdeclaration/document.write'],
        granted: ['goodsdeclaration/document.write'],
      });
    });
    after(() => playground.close());

    test('an upload is stored, listed, found and read, each with its record', async () => {
      const declaration = nextDeclaration();
      const content = randomBytes(3_000_000);
      content.write('%PDF-1.7');
      const sha256 = createHash('sha256').update(content).digest('hex');
      const given = { documentType: 'FAKTURA', declarationId: declaration };
      const uploaded = await send(makeUpload(content, 'Fjord “1”.PDF', given), declaration);
      assert.equal(uploaded.status, 201, uploaded.text);
      const document = uploaded.body as Document;
      const { documentId } = document;
      assert.deepEqual(document, {
        documentId,
        declarationId: declaration,
        documentType: 'invoice',
        fileName: 'Fjord “1”.PDF',
        size: content.length,
        sha256,
      });
      const own = await playground.get(pathOf(declaration), 'broker');
      const [stored] = own.body as StoredDocument[];
      assert.deepEqual(stored, {
        ...document,
        uploadedAt: stored?.uploadedAt,
        organisation: '0192:310000108',
      });
      const found = await playground.get(`${FOUND}?declarationId=${declaration}`, 'authority');
      assert.deepEqual(found.body, [stored]);
      const response = await fetch(`${playground.playground.baseUrl}${FOUND}/${documentId}`, {
        headers: { authorization: `Bearer ${await playground.token('authority')}` },
      });
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), content);
      assert.deepEqual(
        ['content-type', 'content-disposition', 'x-content-type-options', 'repr-digest'].map(
          (header) => response.headers.get(header),
        ),
        [
          'application/octet-stream',
          `attachment; filename="Fjord _1_.PDF"; filename*=UTF-8''Fjord%20%E2%80%9C1%E2%80%9D.PDF`,
          'nosniff',
          `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
        ],
      );
      const details = { documentId, declarationId: declaration, size: content.length, sha256 };
      assert.deepEqual((await records('uploaded')).at(-1)?.details, details);
      assert.deepEqual((await records('read')).at(-1)?.details, details);
      assert.deepEqual((await records('found')).at(-1)?.details, {
        declarationId: declaration,
        documents: 1,
      });
      const all = JSON.stringify([await records('uploaded'), await records('read')]);
      assert(!all.includes('Fjord'), 'a record has the name of a file');
    });

    test('what another organisation has uploaded is not there', async () => {
      const declaration = nextDeclaration();
      const first = await send(makeUpload('one text'), declaration);
      const other = await send(makeUpload('one text'), declaration, 'other-broker');
      assert.deepEqual([first.status, other.status], [201, 201]);
      const ids = async (as: string) =>
        ((await playground.get(pathOf(declaration), as)).body as StoredDocument[]).map(
          ({ documentId }) => documentId,
        );
      const [one, two] = [first, other].map(({ body }) => (body as Document).documentId);
      assert.deepEqual(await ids('broker'), [one]);
      assert.deepEqual(await ids('other-broker'), [two]);
      const found = `${FOUND}?declarationId=${declaration}`;
      const page = await playground.get(`${found}&limit=1`, 'authority');
      assert.deepEqual(
        (page.body as StoredDocument[]).map(({ documentId }) => documentId),
        [one],
      );
      assert.match(page.headers.get('link') ?? '', new RegExp(`marker=${one}`));
      const rest = await playground.get(`${found}&marker=${one}`, 'authority');
      assert.deepEqual(
        (rest.body as StoredDocument[]).map(({ documentId }) => documentId),
        [two],
      );
      for (const as of ['broker', 'other-broker', 'carrier']) {
        assert.equal((await playground.get(`${FOUND}/${one}`, as)).status, 403);
        assert.equal((await playground.get(found, as)).status, 403);
      }
      assert.equal((await send(makeUpload('a'), declaration, 'carrier')).status, 403);
      const unknown = await playground.get(`${FOUND}/${one?.replace(/.$/, 'x')}`, 'authority');
      assert.equal(unknown.status, 404);
    });

    test('the same file again is the first document, whatever is said of it', async () => {
      const declaration = nextDeclaration();
      const first = await send(makeUpload('the same'), declaration);
      const before = await count();
      const again = await send(
        makeUpload('the same', 'other.txt', { documentType: 'waybill' }),
        declaration,
      );
      assert.deepEqual([again.status, again.body], [200, first.body]);
      assert.deepEqual(await count(), before);
    });

    test('the same file at the same time is stored once', async () => {
      const declaration = nextDeclaration();
      const sent = await Promise.all(
        Array.from({ length: 6 }, () => send(makeUpload('at once'), declaration)),
      );
      assert.deepEqual(sent.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201]);
      assert.equal(new Set(sent.map(({ body }) => (body as Document).documentId)).size, 1);
    });

    test('an organisation has at most 100 documents for a declaration, also of those sent at once', async () => {
      const declaration = nextDeclaration();
      for (let text = 0; text < 97; text++) {
        assert.equal((await send(makeUpload(`text ${text}`), declaration)).status, 201);
      }
      const sent = await Promise.all(
        Array.from({ length: 6 }, (_, text) => send(makeUpload(`more ${text}`), declaration)),
      );
      const statuses = sent.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, 201, 201, 400, 400, 400]);
      assert.deepEqual(refusalOf(sent.find(({ status }) => status === 400) ?? assert.fail()), [
        400,
        'file',
        'SIZE',
      ]);
      const own = await playground.get(pathOf(declaration), 'broker');
      assert.equal((own.body as object[]).length, 100);
      assert.equal((await send(makeUpload('text 1'), declaration)).status, 200);
      assert.equal((await send(makeUpload('x'), declaration, 'other-broker')).status, 201);
    });

    test('a document that another server is storing counts', async () => {
      if (database.kind === 'embedded') return; // It has one session.
      const declarationId = nextDeclaration();
      for (let text = 0; text < 99; text++) {
        assert.equal((await send(makeUpload(`text ${text}`), declarationId)).status, 201);
      }
      const [row] = await database.query<{ id: number }>({
        name: '',
        text: 'select organisation_id as id from document where declaration_id = $1 limit 1',
        values: [declarationId],
      });
      const owner = { organisationId: row?.id ?? 0, declarationId };
      const sent = await database.transact(async (transaction) => {
        await transaction.query(lockDocuments(owner));
        const sending = send(makeUpload('the last'), declarationId);
        await new Promise((resolve) => setTimeout(resolve, 500));
        await transaction.query({
          name: '',
          text: `insert into document select organisation_id, declaration_id, gen_random_uuid(), document_type, file_name,
            kind, size, '\\x00', content, uploaded_at, client_id, request_id
            from document where declaration_id = $1 limit 1`,
          values: [declarationId],
        });
        return { sending };
      });
      assert.equal((await sent.sending).status, 400);
      // No record has it.
      await database.query({
        name: '',
        text: `delete from document where sha256 = '\\x00'`,
        values: [],
      });
    });

    test('every kind of file is taken, and nothing that its name does not say', async () => {
      const files: [string, string | Uint8Array][] = [
        ['a.pdf', '%PDF-'],
        ['a.jpg', JPG],
        ['a.png', PNG],
        ['a.txt', 'Ærlig\ttekst\r\n'],
        ['a.docx', docx],
        ['a.xlsx', xlsx],
      ];
      for (const [fileName, content] of files) {
        assert.equal((await upload(content, fileName)).status, 201, fileName);
        for (const [other] of files) {
          if (other === fileName) continue;
          assert.deepEqual(refusalOf(await upload(content, other)), [400, 'file', 'FORMAT']);
        }
      }
      for (const name of ['pdf', 'a', 'a.pdf.exe', 'a.jpeg', 'a.pdf ']) {
        assert.deepEqual(refusalOf(await upload('%PDF-', name)), [400, 'file', 'FORMAT'], name);
      }
    });

    test('each type of document is taken in any case, with its Norwegian word', async () => {
      for (const [given, stored] of [
        ['Invoice', 'invoice'],
        ['PERMITS', 'permits'],
        ['freight invoice', 'freight invoice'],
        ['Proof of Origin Documentation', 'proof of origin documentation'],
        ['waybill', 'waybill'],
        ['export documentation', 'export documentation'],
        ['faktura', 'invoice'],
        ['Tillatelser', 'permits'],
        ['fraktregning', 'freight invoice'],
        ['opprinnelsesdokumentasjon', 'proof of origin documentation'],
        ['FRAKTBREV', 'waybill'],
      ]) {
        const { status, body } = await upload('a', 'a.txt', { documentType: given });
        assert.deepEqual([status, (body as Document).documentType], [201, stored]);
      }
    });

    test('metadata is refused with the member and the rule, and other members are ignored', async () => {
      const refusals: [object | string, string, string][] = [
        [{}, 'metadata.documentType', 'REQUIRED'],
        [{ documentType: 'letter' }, 'metadata.documentType', 'UNKNOWN_CODE'],
        [{ documentType: 5 }, 'metadata.documentType', 'FORMAT'],
        [{ documentType: 'x'.repeat(201) }, 'metadata.documentType', 'SIZE'],
        [
          { documentType: 'invoice', declarationId: '974760673-10082022-999999' },
          'metadata.declarationId',
          'INCOMPATIBLE',
        ],
        ['{"documentType":"invoice","documentType":"waybill"}', 'metadata.documentType', 'FORMAT'],
        ['{', 'metadata', 'FORMAT'],
        ['[]', 'metadata', 'FORMAT'],
        [`"${'['.repeat(5000)}"`, 'metadata', 'SIZE'],
      ];
      for (const [given, field, code] of refusals) {
        const content = typeof given === 'string' ? given : JSON.stringify(given);
        const sent = await send(makeMultipart([{ name: 'metadata', content }, file]));
        assert.deepEqual(refusalOf(sent), [400, field, code], content.slice(0, 80));
      }
      assert.equal(
        (await upload('a', 'a.txt', { documentType: 'invoice', userId: 'u' })).status,
        201,
      );
    });

    test('parts in another order, twice, further ones and missing ones are refused', async () => {
      const wrong: [readonly TestPart[], string, string][] = [
        [[file, metadata], '', 'FORMAT'],
        [[metadata, file, file], '', 'FORMAT'],
        [[metadata, file, metadata], '', 'FORMAT'],
        [[metadata, file, { name: 'more', content: '' }], '', 'FORMAT'],
        [[metadata, metadata], '', 'FORMAT'],
        [[metadata], 'file', 'REQUIRED'],
        [[file], '', 'FORMAT'],
        [[metadata, { name: 'file', content: 'a' }], 'file', 'REQUIRED'],
        [[metadata, { ...file, fileName: `${'x'.repeat(197)}.txt` }], 'file', 'SIZE'],
        [[metadata, { ...file, fileName: 'a\u202etxt.exe.txt' }], 'file', 'FORMAT'],
        [[metadata, { ...file, content: '' }], 'file', 'SIZE'],
        [[metadata, { ...file, headers: ['Content-Transfer-Encoding: base64'] }], 'file', 'FORMAT'],
      ];
      const before = await count();
      for (const [parts, field, code] of wrong) {
        const described = parts.map((part) => `${part.name} ${part.fileName ?? ''}`).join();
        assert.deepEqual(
          refusalOf(await send(makeMultipart(parts))),
          [400, field, code],
          described,
        );
      }
      const hidden = Buffer.concat([
        Buffer.from('--a-boundary\r\nContent-Type: text/plain\r\n\r\nhidden\r\n'),
        makeMultipart([metadata, file]),
      ]);
      assert.deepEqual(refusalOf(await send(hidden)), [400, '', 'FORMAT']);
      assert.deepEqual(await count(), before);
      const longest = { ...file, fileName: `${'x'.repeat(196)}.txt` };
      const anyType = { ...metadata, headers: ['Content-Type: application/octet-stream'] };
      assert.equal((await send(makeMultipart([anyType, longest]))).status, 201);
      const asFile = { ...metadata, fileName: 'blob', headers: ['Content-Type: application/json'] };
      assert.equal((await send(makeMultipart([asFile, file]))).status, 201);
    });

    test('a body that is cut, has no boundary or is none is refused', async () => {
      const whole = makeUpload('a text of a document');
      for (const length of [0, 1, 30, 100, whole.length - 6, whole.length - 30]) {
        const cut = await send(Buffer.from(whole.subarray(0, length)));
        assert.equal(cut.status, 400, `${length} ${cut.text}`);
      }
      for (const type of [
        'multipart/form-data',
        `multipart/form-data; boundary=${'x'.repeat(230)}`,
      ]) {
        const { status } = await send(whole, nextDeclaration(), 'broker', type);
        assert.equal(status, 400, type);
      }
      const json = await send(whole, nextDeclaration(), 'broker', 'application/json');
      assert.equal(json.status, 415);
      const empty = await playground.call(pathOf(nextDeclaration()), {
        as: 'broker',
        method: 'POST',
      });
      assert.equal(empty.status, 400);
    });

    test('the id of a declaration has its form, and a date that exists', async () => {
      for (const id of [
        '12345678-10082022-1',
        '123456789012-10082022-1',
        '123456789-31022022-1',
        '123456789-29022023-1',
        '123456789-20220810-1',
        '123456789-10082022-',
        '123456789-10082022-1234567',
        '123456789-10082022-x',
      ]) {
        for (const sent of [
          await send(makeUpload('a'), id),
          await playground.get(pathOf(id), 'broker'),
        ]) {
          assert.deepEqual(refusalOf(sent), [400, 'declarationId', 'FORMAT'], id);
        }
      }
      assert.equal((await send(makeUpload('a'), '12345678901-29022024-999999')).status, 201);
    });

    test('10 MiB are taken, and not a byte more', async () => {
      const content = Buffer.alloc(10 * 1024 * 1024, 'a');
      assert.equal((await upload(content)).status, 201);
      assert.equal((await upload(Buffer.concat([content, Buffer.from('a')]))).status, 413);
    });

    test('the test file of scanners is refused, and nothing of it is stored', async () => {
      const before = await count();
      const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'];
      assert.deepEqual(refusalOf(await upload(eicar.join(''))), [400, 'file', 'NOT_VERIFIED']);
      assert.deepEqual(await count(), before);
    });

    test('the audit trail has every document', async () => {
      assert.deepEqual((await verifyAudit(database, feedKinds)).breaks, []);
    });
  });
}
