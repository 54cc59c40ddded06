// The built-in code lists are equal to the specification's tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playgroundConsignments } from '../playground.js';
import { TransportDocument } from '../transport-document.js';
import { compileCheck } from '../validation.js';
import { CustomsOffice, nationalCustomsOffices } from './customs-offices.js';
import { transportDocumentTypeCodes } from './transport-document-types.js';

const check = compileCheck<TransportDocument>(TransportDocument);

test('every code of CL754 is a type of transport document, and no other', () => {
  assert.equal(transportDocumentTypeCodes.length, 15);
  for (const type of transportDocumentTypeCodes) {
    assert.equal(check({ documentNumber: 'X', type }).valid, true, type);
  }
  for (const type of ['N742', 'n740', 'N7400', 'toString', 'N740 ']) {
    assert.equal(check({ documentNumber: 'X', type }).valid, false, type);
  }
});

test('the 49 national offices are well-formed and unique', () => {
  const office = compileCheck<CustomsOffice>(CustomsOffice);
  assert.equal(nationalCustomsOffices.length, 49);
  assert.equal(new Set(nationalCustomsOffices.map((each) => each.referenceNumber)).size, 49);
  for (const each of nationalCustomsOffices) {
    assert.equal(office(each).valid, true, each.referenceNumber);
    assert.match(each.referenceNumber, /^NO3\d{5}$/);
  }
});

test("the playground's consignments have codes of CL754", () => {
  for (const { documentNumber, type, masterDocument } of playgroundConsignments) {
    assert.equal(check({ documentNumber, type }).valid, true, documentNumber);
    if (masterDocument !== undefined) assert.equal(check(masterDocument).valid, true);
  }
});
