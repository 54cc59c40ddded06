// Reads a declaration while it is replaced again and again: each response must be one of its versions.
import { Client } from './driver/client.js';

/** More than the service reads at once. */
const HOUSES = 450;
const REPLACEMENTS = 12;

/** Describes the first response that mixes versions. */
export async function checkMixedRead({ service, provider }, world) {
  const client = new Client(service, provider, world);
  await client.admit();
  const [mrn] = world.mrns;
  const request = {
    by: 0,
    scope: 'authority/registry',
    path: `/api/authority/v1/entry-summary-declarations/${mrn}`,
  };
  const versionOf = (code) => ({
    customsOfficeOfFirstEntry: 'NO351001',
    declarant: world.organisations[0],
    estimatedTimeOfArrival: `2026-11-21T14:30:00.${code.slice(0, 3)}Z`,
    houseConsignments: Array.from({ length: HOUSES }, (_, number) => ({
      transportDocumentHouseLevel: { documentNumber: `X${world.episode}-${number}`, type: 'N740' },
      harmonizedSystemSubheadingCode: [code],
    })),
  });
  const versions = ['240220', '640399'];
  let replacing = true;
  const replace = async () => {
    for (let time = 0; time < REPLACEMENTS; time++) {
      await client.send(0, { ...request, method: 'PUT', body: versionOf(versions[time % 2]) });
    }
    replacing = false;
  };
  const broken = [];
  let reads = 0;
  const read = async () => {
    while (replacing && broken.length === 0) {
      const response = await client.send(1, request);
      if (response?.status !== 200) continue;
      reads++;
      const { estimatedTimeOfArrival: arrival, houseConsignments: houses } = response.body;
      const codes = houses.map(({ harmonizedSystemSubheadingCode: [code] }) => code);
      const seen = new Set([arrival.slice(-4, -1), ...codes.map((code) => code.slice(0, 3))]);
      if (seen.size > 1 || houses.length !== HOUSES) {
        broken.push(
          `read ${reads} of ${mrn} mixes the versions ${[...seen]}, ${houses.length} house consignments`,
        );
      }
    }
  };
  await Promise.all([replace(), read()]);
  client.close();
  return broken;
}
