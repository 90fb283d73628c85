import { createHash } from 'node:crypto';
import { filesIn } from '../../../tools/samples/zips.ts';

/** A package as the SDK describes it. */
export interface RemotePackage {
  label: string;
  appVersion: string;
  packageHash: string;
  packageSize: number;
  downloadUrl: string;
  description: string;
  isMandatory: boolean;
}

type UpdateResult = RemotePackage | { updateAppVersion: true; appVersion: string } | null;
type Callback<T> = (error: Error | null, result: T) => void;

/** The exports of `code-push` for devices, in all its versions. */
export interface Sdk {
  AcquisitionManager: new (
    requester: object,
    configuration: { serverUrl: string; appVersion: string; clientUniqueId: string; deploymentKey: string },
  ) => {
    queryUpdateWithCurrentPackage(current: object, callback: Callback<UpdateResult>): void;
    reportStatusDeploy(
      deployed: object | null,
      status: string | null,
      previousLabel: string | null,
      previousKey: string | null,
      callback: Callback<null>,
    ): void;
    reportStatusDownload(downloaded: object, callback: Callback<null>): void;
  };
}

/** The function that an app passes to the SDK to send requests; plug-ins have one, too. */
const ownRequester = {
  request(httpMethod: number, url: string, body: string | Callback<object>, callback?: Callback<object>) {
    const done = (callback ?? body) as Callback<object>;
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-codepush-sdk-version': '^3.1.0',
    };
    const method = ['GET', 'HEAD', 'POST'][httpMethod] ?? 'GET';
    fetch(url, { method, headers, ...(typeof body === 'string' ? { body } : {}) }).then(
      async (answer) => done(null, { statusCode: answer.status, body: await answer.text() }),
      (error: Error) => done(error, {}),
    );
  },
};

const promised = <T>(run: (callback: Callback<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    run((error, result) => (error ? reject(error) : resolve(result)));
  });

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

/** Computed over the folder of a package, like the plugin for React Native. */
function hashFiles(files: ReadonlyMap<string, Buffer>): string {
  const lines = [...files].map(([path, content]) => `${path}:${sha256(content)}`).sort();
  return sha256(JSON.stringify(lines));
}

/** A device that uses the SDK and handles packages like the plugins. */
export function createDevice(
  { AcquisitionManager }: Sdk,
  configuration: { serverUrl: string; deploymentKey: string; appVersion: string; clientUniqueId: string },
  requester: object = ownRequester,
) {
  const { appVersion } = configuration;
  const manager = new AcquisitionManager(requester, configuration);
  let current: { label?: string; packageHash?: string; appVersion: string } = { appVersion };
  let files: ReadonlyMap<string, Buffer> = new Map();
  let before: { current: typeof current; files: typeof files } | undefined;

  return {
    get files() {
      return files;
    },
    check: () => promised<UpdateResult>((callback) => manager.queryUpdateWithCurrentPackage(current, callback)),
    reportBinary: () => promised((callback) => manager.reportStatusDeploy(null, null, null, null, callback)),
    /**
     * Downloads like Android, which accepts only a file of exactly the announced size; returns whether it was a diff.
     */
    async install(update: RemotePackage): Promise<{ isDiff: boolean; bytes: number }> {
      const answer = await fetch(update.downloadUrl, { headers: { 'accept-encoding': 'identity' } });
      const content = Buffer.from(await answer.arrayBuffer());
      if (Number(answer.headers.get('content-length')) !== content.length || content.length !== update.packageSize)
        throw new Error(`${content.length} bytes came, not ${update.packageSize}`);
      await promised((callback) => manager.reportStatusDownload(update, callback));
      const came = new Map(filesIn(content));
      const list = came.get('hotcodepush.json');
      came.delete('hotcodepush.json');
      const after = list ? new Map(files) : new Map<string, Buffer>();
      for (const path of list ? (JSON.parse(list.toString()).deletedFiles as string[]) : []) after.delete(path);
      for (const [path, bytes] of came) after.set(path, bytes);
      if (hashFiles(after) !== update.packageHash)
        throw new Error('the content of the package does not match its hash');
      before = { current, files };
      files = after;
      current = { label: update.label, packageHash: update.packageHash, appVersion: update.appVersion };
      return { isDiff: list !== undefined, bytes: content.length };
    },
    reportSuccess: () => {
      const previous = before?.current.label ?? appVersion;
      return promised((callback) =>
        manager.reportStatusDeploy(current, 'DeploymentSucceeded', previous, configuration.deploymentKey, callback),
      );
    },
    /** The update crashed: the device rolls back. */
    async goBack(): Promise<void> {
      const failed = current;
      if (before) ({ current, files } = before);
      await promised((callback) => manager.reportStatusDeploy(failed, 'DeploymentFailed', null, null, callback));
    },
  };
}
