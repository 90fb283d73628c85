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
  type EndpointInput,
  type EndpointOutput,
} from '@mooring/contract';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, useRead } from '../client.ts';
import { type SendingProgress, uploadInChunks } from '../file-chunks.ts';

export type Deployment = EndpointOutput<typeof codePushDeployments_list>[number];
export type Release = EndpointOutput<typeof codePushDeploymentReleases_get>[number];
export type Metrics = EndpointOutput<typeof codePushDeploymentMetrics_get>[number];
export type MetricsPeriod = EndpointOutput<typeof codePushDeploymentMetrics_listOverTime>['values'][number];
export type Explanation = EndpointOutput<typeof codePushDeployments_explain>;
type Promotion = EndpointInput<typeof codePushDeployments_promote>['body'];
type NewRelease = Omit<EndpointInput<typeof codePushDeploymentReleases_create>['body'], 'release_upload'>;
type ReleaseChange = EndpointInput<typeof deploymentReleases_update>['body'];
type ExplainQuery = EndpointInput<typeof codePushDeployments_explain>['query'];

const codePushKey = (appRef: AppRef) => [...appKey(appRef), 'codepush'];
const at = (appRef: AppRef, deployment_name: string) => ({ ...appRef, deployment_name });

export const useDeployments = (appRef: AppRef) =>
  useRead(codePushKey(appRef), () => call(codePushDeployments_list, { params: appRef }));

export const useDeployment = (appRef: AppRef, name: string) =>
  useRead([...codePushKey(appRef), name], () => call(codePushDeployments_get, { params: at(appRef, name) }));

export const useCreateDeployment = (appRef: AppRef) =>
  useChange(
    (body: { name: string; key?: string }) => call(codePushDeployments_create, { params: appRef, body }),
    codePushKey(appRef),
  );

export const useUpdateDeployment = (appRef: AppRef, name: string) =>
  useChange(
    (body: { halt_percent: number | null }) => call(codePushDeployments_update, { params: at(appRef, name), body }),
    codePushKey(appRef),
  );

export const useDeleteDeployment = (appRef: AppRef) =>
  useChange((name: string) => call(codePushDeployments_delete, { params: at(appRef, name) }));

export const useDeploymentKeys = (appRef: AppRef, name: string) =>
  useRead([...codePushKey(appRef), name, 'keys'], () => call(codePushDeploymentKeys_get, { params: at(appRef, name) }));

export const useRotateKey = (appRef: AppRef, name: string) =>
  useChange(
    (overlap_hours: number) =>
      call(codePushDeploymentKeys_rotate, { params: at(appRef, name), body: { overlap_hours } }),
    codePushKey(appRef),
  );

export const useEndFormerKeys = (appRef: AppRef, name: string) =>
  useChange(
    (_name: string) => call(codePushDeploymentKeys_endFormer, { params: at(appRef, name) }),
    codePushKey(appRef),
  );

export const useReleases = (appRef: AppRef, name: string) =>
  useRead([...codePushKey(appRef), name, 'releases'], () =>
    call(codePushDeploymentReleases_get, { params: at(appRef, name) }),
  );

export const useMetrics = (appRef: AppRef, name: string) =>
  useRead([...codePushKey(appRef), name, 'metrics'], () =>
    call(codePushDeploymentMetrics_get, { params: at(appRef, name) }),
  );

export type MetricsInterval = NonNullable<
  EndpointInput<typeof codePushDeploymentMetrics_listOverTime>['query']['interval']
>;

export const useMetricsOverTime = (appRef: AppRef, name: string, query: { interval: MetricsInterval; days: number }) =>
  useRead([...codePushKey(appRef), name, 'metrics', query], async () => {
    const { values } = await call(codePushDeploymentMetrics_listOverTime, { params: at(appRef, name), query });
    return values;
  });

interface PackageSending {
  file: File;
  /** Chosen by the client: chunks that arrived under this ID are not sent again, and it is released once. */
  uploadId: string;
  signal: AbortSignal;
  onProgress: (progress: SendingProgress) => void;
}

/** Uploads a package and releases it. */
export const useRelease = (appRef: AppRef, name: string) =>
  useChange(async ({ file, uploadId, signal, onProgress, ...fields }: NewRelease & PackageSending) => {
    const params = { ...at(appRef, name), upload_id: uploadId };
    const put = (chunk: { headers: { 'content-range': string }; file: Blob }) =>
      call(codePushDeploymentUpload_put, { params, signal, ...chunk });
    await uploadInChunks(file, { signal, put, onProgress });
    const body = { ...fields, release_upload: { id: uploadId } };
    return call(codePushDeploymentReleases_create, { params: at(appRef, name), body, signal });
  }, codePushKey(appRef));

export const usePromote = (appRef: AppRef, name: string) =>
  useChange(
    ({ to, ...body }: Promotion & { to: string }) =>
      call(codePushDeployments_promote, { params: { ...at(appRef, name), promote_deployment_name: to }, body }),
    codePushKey(appRef),
  );

export const useRollBack = (appRef: AppRef, name: string) =>
  useChange(
    ({ label }: Release) => call(codePushDeploymentRelease_rollback, { params: at(appRef, name), body: { label } }),
    codePushKey(appRef),
  );

export const useChangeRelease = (appRef: AppRef, name: string) =>
  useChange(
    ({ label, ...body }: ReleaseChange & { label: string }) =>
      call(deploymentReleases_update, { params: { ...at(appRef, name), release_label: label }, body }),
    codePushKey(appRef),
  );

/** Explains the update check of a device. */
export const useExplanation = (appRef: AppRef, name: string, query: ExplainQuery) =>
  useRead([...codePushKey(appRef), name, 'explanation', query], () =>
    call(codePushDeployments_explain, { params: at(appRef, name), query }),
  );

export const useExplain = (appRef: AppRef, name: string) =>
  useChange((query: ExplainQuery) => call(codePushDeployments_explain, { params: at(appRef, name), query }));
