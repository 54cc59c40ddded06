// Routing profiles: storing, trying, activating and applying them.
import { Type } from 'typebox';
import {
  AppliedRoutingProfile,
  ApplyQuery,
  DryRun,
  DryRunRequest,
  LiveRoutingProfile,
  ProfileName,
  RoutingProfile,
  RoutingProfileQuery,
  StoredRoutingProfile,
} from '../../routing-profile.js';
import { pageHeaders } from '../feed.js';
import type { Operation } from '../operation.js';

const profilesPath = '/api/authority/v1/routing-profiles';
const livePath = '/api/authority/v1/live-routing-profile';

export const routingProfileOperations = {
  listRoutingProfiles: {
    operationId: 'listRoutingProfiles',
    method: 'GET',
    path: profilesPath,
    tag: 'Authority',
    summary: 'List routing profiles',
    description:
      'Every version of every profile, or of those whose names begin with `name`, sorted by the characters of their names (Unicode numbers) and by version, page by page. A page ends before `limit` where its rules have a million bytes, and has at least one version; `Link` says whether more follow.',
    access: ['authority/routing'],
    query: RoutingProfileQuery,
    responses: {
      200: {
        description: 'Versions of profiles',
        content: { 'application/json': Type.Array(StoredRoutingProfile) },
        headers: pageHeaders,
      },
    },
  },

  putRoutingProfile: {
    operationId: 'putRoutingProfile',
    method: 'PUT',
    path: `${profilesPath}/{name}`,
    tag: 'Authority',
    summary: 'Store a routing profile',
    description:
      'Stores a new version of the profile, which decides nothing until it is activated. A profile that equals the latest version creates none. Unlike in other operations, unknown members are errors, so that a misspelt condition is not ignored. Each error has the index of the rule, from 0.',
    access: ['authority/routing'],
    parameters: { name: ProfileName },
    body: { 'application/json': RoutingProfile },
    responses: {
      200: {
        description: 'The latest version',
        content: { 'application/json': StoredRoutingProfile },
      },
    },
  },

  dryRunRoutingProfile: {
    operationId: 'dryRunRoutingProfile',
    method: 'POST',
    path: `${profilesPath}/{name}/dry-run`,
    tag: 'Authority',
    summary: 'Try a routing profile against stored data',
    description:
      'Reports what a version would decide on the house consignments that were pre-notified last, compared with the current decisions. It decides nothing.',
    access: ['authority/routing'],
    idempotent: true,
    parameters: { name: ProfileName },
    body: { 'application/json': DryRunRequest },
    responses: {
      200: {
        description: 'What the version would decide',
        content: { 'application/json': DryRun },
      },
    },
    problems: [404],
  },

  activateRoutingProfile: {
    operationId: 'activateRoutingProfile',
    method: 'PUT',
    path: livePath,
    tag: 'Authority',
    summary: 'Activate a version of a routing profile',
    description:
      'From now on, the live profile decides on each house consignment that is pre-notified without a decision. Only one version is live. Existing undecided house consignments remain undecided until the live profile is applied.',
    access: ['authority/routing'],
    body: { 'application/json': LiveRoutingProfile },
    responses: {
      200: {
        description: 'The version is live',
        content: { 'application/json': StoredRoutingProfile },
      },
    },
    problems: [404],
  },

  deactivateRoutingProfile: {
    operationId: 'deactivateRoutingProfile',
    method: 'DELETE',
    path: livePath,
    tag: 'Authority',
    summary: 'Deactivate the live routing profile',
    description: 'Its decisions remain. Without a live profile, nothing is changed.',
    access: ['authority/routing'],
    responses: { 204: { description: 'No profile is live' } },
  },

  applyRoutingProfile: {
    operationId: 'applyRoutingProfile',
    method: 'POST',
    path: `${livePath}/apply`,
    tag: 'Authority',
    summary: 'Apply the live routing profile to undecided house consignments',
    description:
      'Decides on house consignments that were pre-notified without a decision before the profile was live, presented or not, in the order of their ids. One request reads a bounded number of house consignments, so it may examine fewer than `limit`, or none, before the end: if the response has a marker, call again with it.',
    access: ['authority/routing'],
    query: ApplyQuery,
    responses: {
      200: {
        description: 'How many were decided',
        content: { 'application/json': AppliedRoutingProfile },
      },
    },
    problems: [404],
  },
} as const satisfies Record<string, Operation>;
