import {
  type EndpointInput,
  type EndpointOutput,
  orgReleaseRetention_get,
  orgReleaseRetention_preview,
  orgReleaseRetention_set,
  releaseRetention_get,
  releaseRetention_preview,
  releaseRetention_set,
} from '@mooring/contract';
import type { AppRef } from '../apps.ts';
import { call, useChange, useRead } from '../client.ts';
import { orgKey } from '../organizations/orgs.ts';
import { releasesKey } from './releases.ts';

export type RetentionRule = EndpointInput<typeof releaseRetention_set>['body'];
export type RetentionPreview = EndpointOutput<typeof releaseRetention_preview>;
export type EffectiveRetention = EndpointOutput<typeof releaseRetention_get>;

export const useReleaseRetention = (params: AppRef) =>
  useRead([...releasesKey(params), 'retention'], () => call(releaseRetention_get, { params }));

/** Releases that a rule would delete now. */
export const usePreviewRetention = (params: AppRef) =>
  useChange((body: RetentionRule) => call(releaseRetention_preview, { params, body }));

export const useSetRetention = (params: AppRef) =>
  useChange((body: RetentionRule) => call(releaseRetention_set, { params, body }), releasesKey(params));

const orgRetentionKey = (name: string) => [...orgKey(name), 'retention'];

export const useOrgRetention = (org_name: string) =>
  useRead(orgRetentionKey(org_name), () => call(orgReleaseRetention_get, { params: { org_name } }));

export const usePreviewOrgRetention = (org_name: string) =>
  useChange((body: RetentionRule) => call(orgReleaseRetention_preview, { params: { org_name }, body }));

export const useSetOrgRetention = (org_name: string) =>
  useChange(
    (body: RetentionRule) => call(orgReleaseRetention_set, { params: { org_name }, body }),
    orgRetentionKey(org_name),
  );
