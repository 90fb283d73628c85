import { Alert, Button, FileButton, Group, Paper, Progress, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { isBuildNumberNeeded, isVersionNeeded, kindOfFile, kindsFor, type PackageKind } from '@mooring/contract';
import { IconCheck, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import {
  cancelUpload,
  forgetUpload,
  type ReleaseUpload,
  startUpload,
  useReleaseUpload,
  type Versions,
} from '../../api/release-uploads.ts';
import { Failure } from '../../parts/failure.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { sizeInWords } from '../../parts/size-words.ts';
import { pathTo } from '../../paths.ts';
import classes from './new-release.module.css';

type Os = keyof typeof kindsFor;
const kindsOf = (os: string): readonly PackageKind[] => kindsFor[os as Os] ?? kindsFor.Custom;

/** What speaks against a file before any of it is sent. */
function problemOf(file: File, os: string): string | undefined {
  const kinds = kindsOf(os);
  const kind = kindOfFile(file.name);
  const endings = kinds.map((one) => `.${one}`).join(', ');
  if (!kind || !kinds.includes(kind)) {
    return `“${file.name}” is no package for ${os}. Choose a file whose name ends with ${endings}.`;
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
          <DropZone onFile={take} kinds={kindsOf(app.os)} onClose={onClose} />
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

interface DropZoneProps {
  onFile: (file: File | null | undefined) => void;
  kinds: readonly PackageKind[];
  onClose: (() => void) | undefined;
}

function DropZone({ onFile, kinds, onClose }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: whoever cannot drop has the button in it.
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      data-testid="drop"
      onDragOver={over}
      onDragEnter={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer.files[0]);
      }}
    >
      <Stack align="center" gap="xs">
        <IconUpload size={28} aria-hidden />
        <Text ta="center">Drop a package here</Text>
        <Text size="xs" c="dimmed" ta="center">
          {kinds.map((kind) => `.${kind}`).join(', ')}
        </Text>
        <Group gap="sm" justify="center">
          <FileButton onChange={onFile} inputProps={{ 'aria-label': 'Package' }}>
            {(props) => <Button {...props}>Choose a file</Button>}
          </FileButton>
          {onClose && (
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </div>
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

const percent = (sent: number, size: number): number => Math.floor((100 * sent) / size);

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
        <Stack gap="xs">
          <Group justify="space-between">
            <Text size="sm">
              <strong>{fileName}</strong>: {sizeInWords(state.sent)} of {sizeInWords(size)}
            </Text>
            {cancel}
          </Group>
          <Progress value={percent(state.sent, size)} aria-label={`Upload of ${fileName}`} size="lg" />
          <Text size="xs" c="dimmed" role="status">
            {state.isWaiting
              ? 'The connection was lost. It goes on where it stopped as soon as the server answers.'
              : 'It goes on while you look at other pages.'}
          </Text>
        </Stack>
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
