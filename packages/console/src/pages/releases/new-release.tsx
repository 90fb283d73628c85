import { Alert, Button, Group, Paper, Progress, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { isBuildNumberNeeded, isVersionNeeded, kindOfFile, kindsFor, type PackageKind } from '@mooring/contract';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import {
  cancelUpload,
  forgetUpload,
  type ReleaseUpload,
  startUpload,
  useReleaseUpload,
  type Versions,
} from '../../api/release-uploads.ts';
import { DropZone } from '../../parts/drop-zone.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FileProgress } from '../../parts/file-progress.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { sizeInWords } from '../../parts/size-words.ts';
import { pathTo } from '../../paths.ts';

type Os = keyof typeof kindsFor;
const kindsOf = (os: string): readonly PackageKind[] => kindsFor[os as Os] ?? kindsFor.Custom;

const endingsOf = (kinds: readonly PackageKind[]): string => kinds.map((kind) => `.${kind}`).join(', ');

/** What speaks against a file before any of it is sent. */
function problemOf(file: File, os: string): string | undefined {
  const kinds = kindsOf(os);
  const kind = kindOfFile(file.name);
  if (!kind || !kinds.includes(kind)) {
    return `“${file.name}” is no package for ${os}. Choose a file whose name ends with ${endingsOf(kinds)}.`;
  }
  return file.size === 0 ? `“${file.name}” is empty. Build the package again.` : undefined;
}

interface Asked {
  file: File;
  needsVersion: boolean;
  needsNumber: boolean;
}

/** Takes a package, dropped or chosen, and shows how it goes until it is a release. */
export function NewRelease({ onClose }: { onClose: (() => void) | undefined }) {
  const { app, appRef } = useAppHere();
  const upload = useReleaseUpload(appRef);
  const [problem, setProblem] = useState<string>();
  const [asked, setAsked] = useState<Asked>();
  const take = (file: File | null | undefined) => {
    if (!file) return;
    const found = problemOf(file, app.os);
    setProblem(found);
    setAsked(undefined);
    if (found) return;
    const kind = kindOfFile(file.name) ?? 'zip';
    const mayTell = app.os === 'macOS' && kind === 'zip';
    const needsVersion = isVersionNeeded(kind) && !mayTell;
    const isResumed = upload?.state.kind === 'stopped' && upload.fileName === file.name && upload.size === file.size;
    if (needsVersion && !isResumed) setAsked({ file, needsVersion, needsNumber: isBuildNumberNeeded(kind) });
    else startUpload(appRef, file, {});
  };
  const isBusy = upload?.state.kind === 'sending' || upload?.state.kind === 'reading';
  return (
    <Paper withBorder p="lg">
      <Stack gap="md">
        {!isBusy && upload?.state.kind !== 'ready' && !asked && (
          <DropZone onFile={take} hint={endingsOf(kindsOf(app.os))} onCancel={onClose}>
            Drop a package here
          </DropZone>
        )}
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {asked && (
          <AskVersions
            asked={asked}
            onCancel={() => setAsked(undefined)}
            onGo={(versions) => {
              setAsked(undefined);
              startUpload(appRef, asked.file, versions);
            }}
          />
        )}
        {upload && !asked && <Status upload={upload} onDone={() => onClose?.()} />}
      </Stack>
    </Paper>
  );
}

interface AskVersionsProps {
  asked: Asked;
  onGo: (versions: Versions) => void;
  onCancel: () => void;
}

/** Some packages do not tell what they are a version of. */
function AskVersions({ asked: { file, needsNumber }, onGo, onCancel }: AskVersionsProps) {
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
          <strong>{file.name}</strong>, {sizeInWords(file.size)}. Packages of this kind do not tell their version.
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
            Upload
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
  const { appRef, params } = useAppHere();
  const { state, fileName, size } = upload;
  const cancel = (
    <Button variant="default" size="xs" onClick={() => cancelUpload(appRef)}>
      Cancel the upload
    </Button>
  );
  switch (state.kind) {
    case 'sending':
      return (
        <FileProgress
          fileName={fileName}
          size={size}
          progress={state}
          words="It goes on while you look at other pages."
          action={cancel}
        />
      );
    case 'stopped':
      return (
        <Alert color="yellow" title={`The upload of ${fileName} was interrupted`}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">
              Choose the same file once more ({sizeInWords(size)}): only what is missing is sent. Browsers forget files
              when a page is loaded anew.
            </Text>
            {cancel}
          </Stack>
        </Alert>
      );
    case 'reading':
      return (
        <Stack gap="xs">
          <Text size="sm" role="status">
            <strong>{fileName}</strong> has arrived. The package is being read…
          </Text>
          <Progress value={100} animated aria-label={`Reading ${fileName}`} size="lg" />
        </Stack>
      );
    case 'ready':
      return (
        <Group role="status">
          <IconCheck size={20} aria-hidden />
          <Text size="sm">
            <strong>{fileName}</strong> is release {state.releaseId}.
          </Text>
          <ButtonLink
            to={pathTo('appRelease', { ...params, release: String(state.releaseId) }, { distribute: 'yes' })}
            size="xs"
          >
            Distribute it
          </ButtonLink>
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              forgetUpload(appRef);
              onDone();
            }}
          >
            Done
          </Button>
        </Group>
      );
    case 'unreadable':
      return (
        <Alert color="red" title={`${fileName} is no release`} role="alert">
          <Text size="sm">{state.reason} Mend the package, then drop it here again.</Text>
        </Alert>
      );
    case 'failed':
      return <Failure error={state.error} title={`${fileName} could not be uploaded`} />;
  }
}
