// Generated datasets follow every rule, have the requested size, are reproducible, and have the shape of their site.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatasetReader, isContainerId, nationalCustomsOffices } from '@landfall/contract';
import { postalCheckDigit, shipCheckDigit } from '../identifiers.js';
import {
  type DatasetKind,
  type DatasetOptions,
  datasetKinds,
  generateDataset,
} from './generate-dataset.js';
import { DatasetSummariser, type DatasetSummary } from './summarise-dataset.js';

const textOf = (options: DatasetOptions) =>
  [...generateDataset(options)].map((line) => `${JSON.stringify(line)}\n`).join('');

function summarise(kind: DatasetKind, houses: number, seed = 7): DatasetSummary {
  const reader = new DatasetReader();
  const summariser = new DatasetSummariser();
  const bytes = new TextEncoder().encode(textOf({ kind, seed, houses }));
  for (const line of [...reader.push(bytes), ...reader.end()]) {
    assert('entry' in line, JSON.stringify(line));
    summariser.add(line.entry);
  }
  return summariser.summarise();
}

/** Every house consignment of a dataset. */
const housesOf = (options: DatasetOptions) =>
  [...generateDataset(options)].flatMap((line) =>
    'houseConsignment' in line
      ? line.houseConsignment
      : 'houseConsignments' in line
        ? line.houseConsignments
        : [],
  );

for (const { kind, sizes } of datasetKinds) {
  test(`${kind}: every line is valid, and there are as many house consignments as requested`, () => {
    for (const houses of [0, 1, 37, sizes.small]) {
      assert.equal(summarise(kind, houses).houseConsignments, houses);
    }
  });

  test(`${kind}: the same seed gives the same dataset; another seed or kind shares no MRN or organisation`, () => {
    assert.equal(textOf({ kind, seed: 7, houses: 2000 }), textOf({ kind, seed: 7, houses: 2000 }));
    const partsOf = (options: DatasetOptions) =>
      new Set(textOf(options).match(/"26NO\w+"|"0192:\d+"/g));
    const parts = partsOf({ kind, seed: 7, houses: 2000 });
    assert(parts.size > 4);
    const others = datasetKinds.map((other) => ({
      kind: other.kind,
      seed: other.kind === kind ? 8 : 7,
    }));
    for (const other of others) {
      for (const part of partsOf({ ...other, houses: 2000 })) assert(!parts.has(part), part);
    }
  });

  test(`${kind}: documents are unique, and identifiers have valid check digits`, () => {
    const houses = housesOf({ kind, seed: 7, houses: 3000 });
    const documents = houses.map(
      ({ transportDocumentHouseLevel: { type, documentNumber } }) => `${type} ${documentNumber}`,
    );
    assert.equal(new Set(documents).size, 3000);
    for (const house of houses) {
      const { documentNumber, type } = house.transportDocumentHouseLevel;
      for (const container of house.containerId ?? []) assert(isContainerId(container), container);
      if (type === 'N740')
        assert.equal(Number(documentNumber.slice(3, 10)) % 7, Number(documentNumber[10]));
      if (house.receptacleId !== undefined) {
        assert.equal(postalCheckDigit(documentNumber.slice(2, 10)), Number(documentNumber[10]));
        assert.equal(documentNumber.slice(11), house.receptacleId.slice(0, 2));
      }
    }
  });

  test(`${kind}: goods arrive at national offices with peaks, and presenters have unequal shares`, () => {
    const { hours, offices, presenters, identities, decidedInAdvance, chapters } = summarise(
      kind,
      sizes.medium,
    );
    const national = new Set(nationalCustomsOffices.map(({ referenceNumber }) => referenceNumber));
    for (const { name } of offices) assert(national.has(name), name);
    assert(Math.max(...hours) >= 1.5 * (sizes.medium / 24), hours.join(' '));
    const identified = new Set(identities.map(({ organisation }) => organisation));
    assert(presenters.some(({ name }) => identified.has(name)));
    const [largest, ...others] = presenters.map(({ houseConsignments }) => houseConsignments);
    assert(largest && largest > 0.25 * sizes.medium && largest > 1.3 * (others.at(-1) ?? largest));
    assert(decidedInAdvance.undecided > 0 && decidedInAdvance.TO_ENTRY > 0);
    const control =
      decidedInAdvance.TO_CONTROL / (decidedInAdvance.TO_CONTROL + decidedInAdvance.TO_ENTRY);
    assert(control > 0.005 && control < 0.2, String(control));
    assert(chapters.length > 10);
  });
}

test('an airport has master over house, and waybills without house consignments', () => {
  const { masterConsignments, perMasterConsignment, documentTypes } = summarise('airport', 8000);
  assert(masterConsignments > 50 && (perMasterConsignment?.max ?? 0) > 100);
  assert.deepEqual(
    documentTypes.map(({ name }) => name),
    ['N703', 'N740'],
  );
});

test('a post terminal has receptacles with thousands of parcels under a master air waybill', () => {
  const { receptacles, perReceptacle, masterConsignments, houseConsignments } = summarise(
    'post-terminal',
    40_000,
  );
  assert((perReceptacle?.max ?? 0) > 2000 && (perReceptacle?.min ?? 0) < 100);
  assert(masterConsignments < receptacles && receptacles < houseConsignments / 20);
});

test('a ferry quay has calls at fixed times, by ships with valid numbers, with trailers and containers', () => {
  const { containers, hours, meansOfTransport, documentTypes } = summarise('ferry-quay', 2500);
  assert(containers > 10);
  assert.equal(meansOfTransport, 8);
  assert.equal(hours.filter((count) => count > 0).length, 8);
  assert.deepEqual(documentTypes.map(({ name }) => name).sort(), ['N714', 'N730']);
  for (const line of generateDataset({ kind: 'ferry-quay', seed: 7, houses: 500 })) {
    if (!('declarant' in line)) continue;
    const number = line.activeBorderTransportMeans?.identificationNumber ?? '';
    assert.equal(shipCheckDigit(number.slice(0, 6)), Number(number[6]));
  }
});

test('a road border has a lorry for each declaration, with a full load or groupage', () => {
  const { declarations, meansOfTransport, documentTypes, perMasterConsignment } = summarise(
    'road-border',
    5000,
  );
  assert(meansOfTransport > 0.95 * declarations);
  assert.deepEqual(
    documentTypes.map(({ name }) => name),
    ['N703', 'N760', 'N730'],
  );
  assert((perMasterConsignment?.min ?? 0) >= 1);
});
