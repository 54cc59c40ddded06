// Routing profiles: storing and activating a version, deactivating, applying.
import { activateProfile, applyProfile, putProfile } from '../model/profile.js';
import { OFFICES } from '../world.js';
import { different, differentStatus } from './check.js';
import { pickRouting } from './goods.js';

const LIVE = '/api/authority/v1/live-routing-profile';
const SCOPE = 'authority/routing';

/** Profiles are of the whole installation: each episode has one of its own. */
const nameOf = ({ episode }) => `record-${episode}`;

export const storeProfile = {
  weight: 1,
  make: (random, world) => ({
    profile: nameOf(world),
    content: { salt: 'record', rules: [1, 2].map((number) => pickRule(random, number)) },
  }),
  request: ({ officer, profile, content }) => ({
    by: officer,
    scope: SCOPE,
    method: 'PUT',
    path: `/api/authority/v1/routing-profiles/${profile}`,
    body: content,
  }),
  apply: (record, { profile, content }) => putProfile(record, profile, content),
  check: (expected, response) =>
    differentStatus(response, 200) ??
    different('version', { name: response.body.name, version: response.body.version }, expected),
};

export const activate = {
  weight: 2,
  make: (random, world) => ({ profile: nameOf(world), version: 1 + random.below(2) }),
  request: ({ officer, profile, version }) => ({
    by: officer,
    scope: SCOPE,
    method: 'PUT',
    path: LIVE,
    body: { name: profile, version },
  }),
  apply: (record, { profile, version }) => activateProfile(record, { name: profile, version }),
  check: (exists, response) => differentStatus(response, exists ? 200 : 404),
};

export const deactivate = {
  weight: 1,
  make: () => ({}),
  request: ({ officer }) => ({ by: officer, scope: SCOPE, method: 'DELETE', path: LIVE }),
  apply: (record) => {
    record.live = null;
  },
  check: (_, response) => differentStatus(response, 204),
};

export const apply = {
  weight: 2,
  make: () => ({}),
  request: ({ officer }) => ({ by: officer, scope: SCOPE, method: 'POST', path: `${LIVE}/apply` }),
  apply: (record, _, context) => applyProfile(record, context),
  check: (expected, response) => {
    if (expected === undefined) return differentStatus(response, 404);
    const { examined, marker, ...applied } = response.body;
    return differentStatus(response, 200) ?? different('applied', applied, expected);
  },
};

function pickRule(random, number) {
  const conditions = {
    ...(random.chance(0.3) && { customsOfficeOfFirstEntry: [random.pick(OFFICES)] }),
    ...(random.chance(0.3) && { transportDocumentType: ['N703'] }),
    ...(random.chance(0.3) && { harmonizedSystemChapter: ['24'] }),
  };
  return {
    name: `rule ${number}`,
    ...(Object.keys(conditions).length > 0 && { when: conditions }),
    ...(random.chance(0.2) && { share: random.pick([0, 1]) }),
    ...pickRouting(random),
  };
}
