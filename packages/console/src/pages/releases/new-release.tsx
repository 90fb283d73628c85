import { Alert, Button, Group, Paper, Progress, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { getPackageKind, isBuildNumberNeeded, isVersionNeeded, kindsFor, type PackageKind } from '@mooring/contract';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import {
  cancelUpload,
  discardUpload,
  type ReleaseUpload,
  startUpload,
  useReleaseUpload,
  type Versions,
} from '../../api/releases/release-uploads.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { DropZone } from '../../components/forms/drop-zone.tsx';
import { FileProgress } from '../../components/forms/file-progress.tsx';
import { formatSize } from '../../components/text/format-size.ts';
import { ButtonLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';

type Os = keyof typeof kindsFor;
const listKinds = (os: string): readonly PackageKind[] => kindsFor[os as Os] ?? kindsFor.Custom;

const formatExtensions = (kinds: readonly PackageKind[]): string => kinds.map((kind) => `.${kind}`).join(', ');

/** Checks a file before the upload. */
function findProblem(file: File, os: string): string | undefined {
  const kinds = listKinds(os);
  const kind = getPackageKind(file.name);
  if (!kind || !kinds.includes(kind)) {
    return `“${file.name}” is not a package for ${os}. Choose a file of type ${formatExtensions(kinds)}.`;
  }
  return file.size === 0 ? `“${file.name}” is empty. Build the package again.` : undefined;
}

interface VersionRequest {
  file: File;
  needsVersion: boolean;
  needsNumber: boolean;
}

interface NewReleaseProps {
  /** A file that was dropped elsewhere. */
  initial?: File;
  onClose: (() => void) | undefined;
}

/** Accepts a package, and shows its progress until it is a release. */
export function NewRelease({ initial, onClose }: NewReleaseProps) {
  const { app, appRef } = useCurrentApp();
  const upload = useReleaseUpload(appRef);
  const [problem, setProblem] = useState<string>();
  const [versionRequest, setVersionRequest] = useState<VersionRequest>();
  const take = (file: File | null | undefined) => {
    if (!file) return;
    const newProblem = findProblem(file, app.os);
    setProblem(newProblem);
    setVersionRequest(undefined);
    if (newProblem) return;
    const kind = getPackageKind(file.name) ?? 'zip';
    const canHoldVersion = app.os === 'macOS' && kind === 'zip';
    const needsVersion = isVersionNeeded(kind) && !canHoldVersion;
    const isResumed = upload?.state.kind === 'stopped' && upload.fileName === file.name && upload.size === file.size;
    if (needsVersion && !isResumed) setVersionRequest({ file, needsVersion, needsNumber: isBuildNumberNeeded(kind) });
    else startUpload(appRef, file, {});
  };
  const isBusy = upload?.state.kind === 'sending' || upload?.state.kind === 'reading';
  const takeOnce = useEffectEvent(() => !isBusy && take(initial));
  useEffect(() => void takeOnce(), []);
  return (
    <Paper withBorder p="lg">
      <Stack gap="md">
        {!isBusy && upload?.state.kind !== 'ready' && !versionRequest && (
          <DropZone onFile={take} hint={formatExtensions(listKinds(app.os))} onCancel={onClose}>
            Drop a package here
          </DropZone>
        )}
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {versionRequest && (
          <VersionForm
            versionRequest={versionRequest}
            onCancel={() => setVersionRequest(undefined)}
            onGo={(versions) => {
              setVersionRequest(undefined);
              startUpload(appRef, versionRequest.file, versions);
            }}
          />
        )}
        {upload && !versionRequest && <Status upload={upload} onDone={() => onClose?.()} />}
      </Stack>
    </Paper>
  );
}

interface VersionFormProps {
  versionRequest: VersionRequest;
  onGo: (versions: Versions) => void;
  onCancel: () => void;
}

/** For package types that contain no version. */
function VersionForm({ versionRequest: { file, needsNumber }, onGo, onCancel }: VersionFormProps) {
  const [version, setVersion] = useState('');
  const [number, setNumber] = useState('');
  const isMissing = !version.trim() || (needsNumber && !number.trim());
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isMissing) return;
        const build_number = number.trim();
        onGo({ build_version: version.trim(), ...(build_number ? { build_number } : {}) });
      }}
    >
      <Stack gap="sm" maw={720}>
        <Text size="sm">
          <strong>{file.name}</strong>, {formatSize(file.size)}. This package type contains no version, so enter it
          here.
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Version"
            placeholder="1.2.0"
            required
            maxLength={100}
            value={version}
            onChange={({ currentTarget }) => setVersion(currentTarget.value)}
            data-autofocus
          />
          <TextInput
            label={needsNumber ? 'Build number' : 'Build number (optional)'}
            placeholder="42"
            required={needsNumber}
            maxLength={100}
            value={number}
            onChange={({ currentTarget }) => setNumber(currentTarget.value)}
          />
        </SimpleGrid>
        <Group gap="sm">
          <Button type="submit" disabled={isMissing}>
            Upload release
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Status({ upload, onDone }: { upload: ReleaseUpload; onDone: () => void }) {
  const { appRef, params } = useCurrentApp();
  const { state, fileName, size } = upload;
  const cancel = (
    <Button variant="default" size="xs" onClick={() => cancelUpload(appRef)}>
      Cancel upload
    </Button>
  );
  switch (state.kind) {
    case 'sending':
      return (
        <FileProgress
          fileName={fileName}
          size={size}
          progress={state}
          label="The upload continues while you visit other pages."
          action={cancel}
        />
      );
    case 'stopped':
      return (
        <Alert color="yellow" title={`Upload of ${fileName} interrupted`}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">
              Choose the same file again ({formatSize(size)}) to resume. After a page reload, the browser no longer has
              access to the file.
            </Text>
            {cancel}
          </Stack>
        </Alert>
      );
    case 'reading':
      return (
        <Stack gap="xs">
          <Text size="sm" role="status">
            <strong>{fileName}</strong> uploaded. Reading the package…
          </Text>
          <Progress value={100} animated aria-label={`Reading ${fileName}`} size="lg" />
        </Stack>
      );
    case 'ready':
      return (
        <Group role="status">
          <IconCheck size={20} aria-hidden />
          <Text size="sm">
            Created release {state.releaseId} from <strong>{fileName}</strong>.
          </Text>
          <ButtonLink
            to={pathTo('appRelease', { ...params, release: String(state.releaseId) }, { distribute: 'yes' })}
            size="xs"
          >
            Distribute release
          </ButtonLink>
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              discardUpload(appRef);
              onDone();
            }}
          >
            Done
          </Button>
        </Group>
      );
    case 'unreadable':
      return (
        <Alert color="red" title={`Couldn't read ${fileName}`} role="alert">
          <Text size="sm">{state.reason} Fix the package and upload it again.</Text>
        </Alert>
      );
    case 'failed':
      return <Failure error={state.error} title={`Couldn't upload ${fileName}`} />;
  }
}
