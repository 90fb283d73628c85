import {
  type InputOf,
  type OutputOf,
  releaseRetention_get,
  releaseRetention_preview,
  releaseRetention_set,
} from '@mooring/contract';
import type { AppRef } from './apps.ts';
import { call, useChange, useRead } from './client.ts';
import { releasesKey } from './releases.ts';

export type RetentionRule = InputOf<typeof releaseRetention_set>['body'];
export type RetentionPreview = OutputOf<typeof releaseRetention_preview>;
export type EffectiveRetention = OutputOf<typeof releaseRetention_get>;

export const useReleaseRetention = (params: AppRef) =>
  useRead([...releasesKey(params), 'retention'], () => call(releaseRetention_get, { params }));

/** What a rule would delete now. */
export const usePreviewRetention = (params: AppRef) =>
  useChange((body: RetentionRule) => call(releaseRetention_preview, { params, body }));

export const useSetRetention = (params: AppRef) =>
  useChange((body: RetentionRule) => call(releaseRetention_set, { params, body }), releasesKey(params));
