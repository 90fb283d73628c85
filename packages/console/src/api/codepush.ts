import {
  codePushDeploymentKeys_endFormer,
  codePushDeploymentKeys_get,
  codePushDeploymentKeys_rotate,
  codePushDeploymentMetrics_get,
  codePushDeploymentMetrics_listOverTime,
  codePushDeploymentRelease_rollback,
  codePushDeploymentReleases_create,
  codePushDeploymentReleases_get,
  codePushDeployments_create,
  codePushDeployments_delete,
  codePushDeployments_explain,
  codePushDeployments_get,
  codePushDeployments_list,
  codePushDeployments_promote,
  codePushDeployments_update,
  codePushDeploymentUpload_put,
  deploymentReleases_update,
  type InputOf,
  type OutputOf,
} from '@mooring/contract';
import { type AppRef, appKey } from './apps.ts';
import { call, useChange, useRead } from './client.ts';
import { type SendingProgress, sendInParts } from './file-parts.ts';

export type Deployment = OutputOf<typeof codePushDeployments_list>[number];
export type Release = OutputOf<typeof codePushDeploymentReleases_get>[number];
export type Metrics = OutputOf<typeof codePushDeploymentMetrics_get>[number];
export type MetricsPeriod = OutputOf<typeof codePushDeploymentMetrics_listOverTime>['values'][number];
export type Explanation = OutputOf<typeof codePushDeployments_explain>;
type Promotion = InputOf<typeof codePushDeployments_promote>['body'];
type NewRelease = Omit<InputOf<typeof codePushDeploymentReleases_create>['body'], 'release_upload'>;
type ReleaseChange = InputOf<typeof deploymentReleases_update>['body'];
type Asked = InputOf<typeof codePushDeployments_explain>['query'];

const keyOf = (appRef: AppRef) => [...appKey(appRef), 'codepush'];
const at = (appRef: AppRef, deployment_name: string) => ({ ...appRef, deployment_name });

export const useDeployments = (appRef: AppRef) =>
  useRead(keyOf(appRef), () => call(codePushDeployments_list, { params: appRef }));

export const useDeployment = (appRef: AppRef, name: string) =>
  useRead([...keyOf(appRef), name], () => call(codePushDeployments_get, { params: at(appRef, name) }));

export const useCreateDeployment = (appRef: AppRef) =>
  useChange(
    (body: { name: string; key?: string }) => call(codePushDeployments_create, { params: appRef, body }),
    keyOf(appRef),
  );

export const useUpdateDeployment = (appRef: AppRef, name: string) =>
  useChange(
    (body: { halt_percent: number | null }) => call(codePushDeployments_update, { params: at(appRef, name), body }),
    keyOf(appRef),
  );

export const useDeleteDeployment = (appRef: AppRef) =>
  useChange((name: string) => call(codePushDeployments_delete, { params: at(appRef, name) }));

export const useDeploymentKeys = (appRef: AppRef, name: string) =>
  useRead([...keyOf(appRef), name, 'keys'], () => call(codePushDeploymentKeys_get, { params: at(appRef, name) }));

export const useRotateKey = (appRef: AppRef, name: string) =>
  useChange(
    (overlap_hours: number) =>
      call(codePushDeploymentKeys_rotate, { params: at(appRef, name), body: { overlap_hours } }),
    keyOf(appRef),
  );

export const useEndFormerKeys = (appRef: AppRef, name: string) =>
  useChange((_name: string) => call(codePushDeploymentKeys_endFormer, { params: at(appRef, name) }), keyOf(appRef));

export const useReleases = (appRef: AppRef, name: string) =>
  useRead([...keyOf(appRef), name, 'releases'], () =>
    call(codePushDeploymentReleases_get, { params: at(appRef, name) }),
  );

export const useMetrics = (appRef: AppRef, name: string) =>
  useRead([...keyOf(appRef), name, 'metrics'], () => call(codePushDeploymentMetrics_get, { params: at(appRef, name) }));

export type MetricsInterval = NonNullable<InputOf<typeof codePushDeploymentMetrics_listOverTime>['query']['interval']>;

export const useMetricsOverTime = (appRef: AppRef, name: string, query: { interval: MetricsInterval; days: number }) =>
  useRead([...keyOf(appRef), name, 'metrics', query], async () => {
    const { values } = await call(codePushDeploymentMetrics_listOverTime, { params: at(appRef, name), query });
    return values;
  });

interface PackageSending {
  file: File;
  /** Chosen by the sender: what arrived under it is not sent again, and released once. */
  uploadId: string;
  signal: AbortSignal;
  onProgress: (progress: SendingProgress) => void;
}

/** Sends a package and releases it. */
export const useRelease = (appRef: AppRef, name: string) =>
  useChange(async ({ file, uploadId, signal, onProgress, ...facts }: NewRelease & PackageSending) => {
    const params = { ...at(appRef, name), upload_id: uploadId };
    const put = (part: { headers: { 'content-range': string }; file: Blob }) =>
      call(codePushDeploymentUpload_put, { params, signal, ...part });
    await sendInParts(file, { signal, put, onProgress });
    const body = { ...facts, release_upload: { id: uploadId } };
    return call(codePushDeploymentReleases_create, { params: at(appRef, name), body, signal });
  }, keyOf(appRef));

export const usePromote = (appRef: AppRef, name: string) =>
  useChange(
    ({ to, ...body }: Promotion & { to: string }) =>
      call(codePushDeployments_promote, { params: { ...at(appRef, name), promote_deployment_name: to }, body }),
    keyOf(appRef),
  );

export const useRollBack = (appRef: AppRef, name: string) =>
  useChange(
    ({ label }: Release) => call(codePushDeploymentRelease_rollback, { params: at(appRef, name), body: { label } }),
    keyOf(appRef),
  );

export const useChangeRelease = (appRef: AppRef, name: string) =>
  useChange(
    ({ label, ...body }: ReleaseChange & { label: string }) =>
      call(deploymentReleases_update, { params: { ...at(appRef, name), release_label: label }, body }),
    keyOf(appRef),
  );

/** What a device would get. */
export const useExplanation = (appRef: AppRef, name: string, query: Asked) =>
  useRead([...keyOf(appRef), name, 'explanation', query], () =>
    call(codePushDeployments_explain, { params: at(appRef, name), query }),
  );

export const useExplain = (appRef: AppRef, name: string) =>
  useChange((query: Asked) => call(codePushDeployments_explain, { params: at(appRef, name), query }));
